// Contains(key='name', value='x')
CASE WHEN c.name IS :: LIST<ANY> NOT NULL THEN $_filter_0 IN c.name ELSE c.name CONTAINS $_filter_0 END
// never null: coalesce(CASE WHEN c.name IS :: LIST<ANY> NOT NULL THEN $_filter_0 IN c.name ELSE c.name CONTAINS $_filter_0 END, false)
// $_filter_0: 'x'

// Contains(key='collection', value='x')
c.collection CONTAINS $_filter_0
// never null: coalesce(c.collection CONTAINS $_filter_0, false)
// $_filter_0: 'x'

// Contains(key='name', value=1)
(c.name IS :: LIST<ANY> NOT NULL) AND ($_filter_0 IN c.name)
// $_filter_0: 1

// Contains(key='name', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
CASE WHEN c.name IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL THEN $_filter_0 IN [_filter_element IN c.name | datetime({datetime: _filter_element, timezone: 'Z'})] ELSE false END
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)

// StartsWith(key='name', value='x')
c.name STARTS WITH $_filter_0
// never null: coalesce(c.name STARTS WITH $_filter_0, false)
// $_filter_0: 'x'

// EndsWith(key='name', value='x')
c.name ENDS WITH $_filter_0
// never null: coalesce(c.name ENDS WITH $_filter_0, false)
// $_filter_0: 'x'

// EqIgnoreCase(key='name', value='X')
CASE WHEN c.name IS :: STRING NOT NULL THEN toLower(c.name) = toLower($_filter_0) ELSE false END
// $_filter_0: 'X'

// ContainsIgnoreCase(key='name', value='X')
CASE WHEN c.name IS :: STRING NOT NULL THEN toLower(c.name) CONTAINS toLower($_filter_0) ELSE false END
// $_filter_0: 'X'
