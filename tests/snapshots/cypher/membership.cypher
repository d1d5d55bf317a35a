// In(key='owner', values=('alice', 'bob'))
CASE WHEN c.owner IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.owner WHERE _filter_element IN $_filter_0) ELSE c.owner IN $_filter_0 END
// never null: coalesce(CASE WHEN c.owner IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.owner WHERE _filter_element IN $_filter_0) ELSE c.owner IN $_filter_0 END, false)
// $_filter_0: ['alice', 'bob']

// In(key='collection', values=('one', 'two'))
c.collection IN $_filter_0
// never null: coalesce(c.collection IN $_filter_0, false)
// $_filter_0: ['one', 'two']

// In(key='length', values=(1, 'two', True, datetime.time(12, 0), datetime.timedelta(days=1)))
CASE WHEN c.length IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.length WHERE _filter_element IN $_filter_0) ELSE c.length IN $_filter_0 END
// never null: coalesce(CASE WHEN c.length IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.length WHERE _filter_element IN $_filter_0) ELSE c.length IN $_filter_0 END, false)
// $_filter_0: [1, 'two', True, datetime.time(12, 0), datetime.timedelta(days=1)]

// In(key='at', values=(datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))),))
CASE WHEN c.at IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.at WHERE CASE WHEN _filter_element IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: _filter_element, timezone: 'Z'}) IN $_filter_0 ELSE false END) ELSE CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) IN $_filter_0 ELSE false END END
// never null: coalesce(CASE WHEN c.at IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.at WHERE CASE WHEN _filter_element IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: _filter_element, timezone: 'Z'}) IN $_filter_0 ELSE false END) ELSE CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) IN $_filter_0 ELSE false END END, false)
// $_filter_0: [datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)]

// In(key='at', values=(datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))), 'yesterday'))
CASE WHEN c.at IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.at WHERE CASE WHEN _filter_element IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: _filter_element, timezone: 'Z'}) IN $_filter_0 ELSE _filter_element IN $_filter_1 END) ELSE CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) IN $_filter_0 ELSE c.at IN $_filter_1 END END
// never null: coalesce(CASE WHEN c.at IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.at WHERE CASE WHEN _filter_element IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: _filter_element, timezone: 'Z'}) IN $_filter_0 ELSE _filter_element IN $_filter_1 END) ELSE CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) IN $_filter_0 ELSE c.at IN $_filter_1 END END, false)
// $_filter_0: [datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)]
// $_filter_1: ['yesterday']

// In(key='collection', values=(datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))),))
CASE WHEN c.collection IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.collection, timezone: 'Z'}) IN $_filter_0 ELSE false END
// $_filter_0: [datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)]

// In(key='collection', values=(datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))), 'yesterday'))
CASE WHEN c.collection IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.collection, timezone: 'Z'}) IN $_filter_0 ELSE c.collection IN $_filter_1 END
// never null: coalesce(CASE WHEN c.collection IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.collection, timezone: 'Z'}) IN $_filter_0 ELSE c.collection IN $_filter_1 END, false)
// $_filter_0: [datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)]
// $_filter_1: ['yesterday']

// Nin(key='owner', values=('alice', 'bob'))
NOT coalesce(CASE WHEN c.owner IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.owner WHERE _filter_element IN $_filter_0) ELSE c.owner IN $_filter_0 END, false)
// $_filter_0: ['alice', 'bob']

// Nin(key='collection', values=('one', 'two'))
NOT coalesce(c.collection IN $_filter_0, false)
// $_filter_0: ['one', 'two']

// In(key='owner', values=())
false

// Nin(key='owner', values=())
true

// HasElement(key='tags', value='a')
(c.tags IS :: LIST<ANY> NOT NULL) AND ($_filter_0 IN c.tags)
// $_filter_0: 'a'

// HasElement(key='seen', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
CASE WHEN c.seen IS :: LIST<ZONED DATETIME NOT NULL> NOT NULL THEN $_filter_0 IN [_filter_element IN c.seen | datetime({datetime: _filter_element, timezone: 'Z'})] ELSE false END
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)
