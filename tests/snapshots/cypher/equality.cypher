// Eq(key='owner', value='alice')
c.owner = $_filter_0
// never null: coalesce(c.owner = $_filter_0, false)
// $_filter_0: 'alice'

// Eq(key='year', value=2020)
c.year = $_filter_0
// never null: coalesce(c.year = $_filter_0, false)
// $_filter_0: 2020

// Eq(key='at', value=datetime.datetime(2024, 3, 1, 0, 0))
c.at = $_filter_0
// never null: coalesce(c.at = $_filter_0, false)
// $_filter_0: datetime.datetime(2024, 3, 1, 0, 0)

// Eq(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) = $_filter_0 ELSE false END
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)

// Eq(key='tags', value=('a', 'b'))
c.tags = $_filter_0
// never null: coalesce(c.tags = $_filter_0, false)
// $_filter_0: ['a', 'b']

// Eq(key='tags', value=())
c.tags = $_filter_0
// never null: coalesce(c.tags = $_filter_0, false)
// $_filter_0: []

// Eq(key='seen', value=(datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))), datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))))
CASE WHEN c.seen IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL THEN [_filter_element IN c.seen | datetime({datetime: _filter_element, timezone: 'Z'})] = $_filter_0 ELSE false END
// $_filter_0: [datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc), datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)]

// Ne(key='owner', value='alice')
coalesce(c.owner <> $_filter_0, true)
// $_filter_0: 'alice'

// Ne(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
NOT CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) = $_filter_0 ELSE false END
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)

// Ne(key='tags', value=('a', 'b'))
coalesce(c.tags <> $_filter_0, true)
// $_filter_0: ['a', 'b']
