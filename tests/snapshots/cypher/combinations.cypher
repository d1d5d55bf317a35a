// And(filters=(Eq(key='owner', value='alice'), Gte(key='confidenceScore', value=0.5)))
(c.owner = $_filter_0) AND (c.confidenceScore >= $_filter_1)
// never null: coalesce((c.owner = $_filter_0) AND (c.confidenceScore >= $_filter_1), false)
// $_filter_0: 'alice'
// $_filter_1: 0.5

// Or(filters=(Eq(key='owner', value='alice'), Eq(key='owner', value='bob')))
((c.owner = $_filter_0) OR (c.owner = $_filter_1))
// never null: coalesce(((c.owner = $_filter_0) OR (c.owner = $_filter_1)), false)
// $_filter_0: 'alice'
// $_filter_1: 'bob'

// And(filters=(Or(filters=(Eq(key='owner', value='alice'), Eq(key='owner', value='bob'))), Gte(key='year', value=2020)))
((c.owner = $_filter_0) OR (c.owner = $_filter_1)) AND (c.year >= $_filter_2)
// never null: coalesce(((c.owner = $_filter_0) OR (c.owner = $_filter_1)) AND (c.year >= $_filter_2), false)
// $_filter_0: 'alice'
// $_filter_1: 'bob'
// $_filter_2: 2020

// Or(filters=(And(filters=(Eq(key='owner', value='alice'), Gte(key='year', value=2020))), Lt(key='year', value=1990)))
(((c.owner = $_filter_0) AND (c.year >= $_filter_1)) OR (c.year < $_filter_2))
// never null: coalesce((((c.owner = $_filter_0) AND (c.year >= $_filter_1)) OR (c.year < $_filter_2)), false)
// $_filter_0: 'alice'
// $_filter_1: 2020
// $_filter_2: 1990

// Not(filter=Gte(key='year', value=2020))
NOT coalesce(c.year >= $_filter_0, false)
// $_filter_0: 2020

// Not(filter=Exists(key='owner'))
NOT (c.owner IS NOT NULL)

// Not(filter=And(filters=(Eq(key='owner', value='alice'), Exists(key='year'))))
NOT coalesce((c.owner = $_filter_0) AND (c.year IS NOT NULL), false)
// $_filter_0: 'alice'

// Not(filter=Or(filters=(Exists(key='owner'), Exists(key='name'))))
NOT ((c.owner IS NOT NULL) OR (c.name IS NOT NULL))

// Not(filter=Not(filter=Eq(key='owner', value='alice')))
c.owner = $_filter_0
// never null: coalesce(c.owner = $_filter_0, false)
// $_filter_0: 'alice'

// Not(filter=Eq(key='owner', value='alice'))
coalesce(c.owner <> $_filter_0, true)
// $_filter_0: 'alice'

// And(filters=())
true

// Or(filters=())
false

// And(filters=(Or(filters=()), Eq(key='owner', value='alice')))
false

// And(filters=(Eq(key='owner', value='alice'), HasAnyLabel(labels=('Person', 'Place')), Not(filter=In(key='status', values=('draft', 'deleted')))))
(c.owner = $_filter_0) AND (c:Person|Place) AND (NOT coalesce(CASE WHEN c.status IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.status WHERE _filter_element IN $_filter_1) ELSE c.status IN $_filter_1 END, false))
// never null: coalesce((c.owner = $_filter_0) AND (c:Person|Place) AND (NOT coalesce(CASE WHEN c.status IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.status WHERE _filter_element IN $_filter_1) ELSE c.status IN $_filter_1 END, false)), false)
// $_filter_0: 'alice'
// $_filter_1: ['draft', 'deleted']

// And(filters=(Eq(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))), In(key='collection', values=('one',))))
CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) = $_filter_0 ELSE false END AND (c.collection IN $_filter_1)
// never null: coalesce(CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) = $_filter_0 ELSE false END AND (c.collection IN $_filter_1), false)
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)
// $_filter_1: ['one']
