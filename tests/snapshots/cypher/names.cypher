// Eq(key='a-b', value=1)
c[$_filter_0] = $_filter_1
// never null: coalesce(c[$_filter_0] = $_filter_1, false)
// $_filter_0: 'a-b'
// $_filter_1: 1

// Not(filter=Exists(key='a`b'))
NOT (c[$_filter_0] IS NOT NULL)
// $_filter_0: 'a`b'

// In(key='a.b', values=(1, 2))
CASE WHEN c[$_filter_0] IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c[$_filter_0] WHERE _filter_element IN $_filter_1) ELSE c[$_filter_0] IN $_filter_1 END
// never null: coalesce(CASE WHEN c[$_filter_0] IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c[$_filter_0] WHERE _filter_element IN $_filter_1) ELSE c[$_filter_0] IN $_filter_1 END, false)
// $_filter_0: 'a.b'
// $_filter_1: [1, 2]

// Between(key='we ird', low=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))), high=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
CASE WHEN c[$_filter_0] IS :: ZONED DATETIME NOT NULL THEN (datetime({datetime: c[$_filter_0], timezone: 'Z'}) >= $_filter_1) AND (datetime({datetime: c[$_filter_0], timezone: 'Z'}) <= $_filter_2) ELSE false END
// $_filter_0: 'we ird'
// $_filter_1: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)
// $_filter_2: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)

// HasAnyLabel(labels=('Person',))
(c:Person)

// HasAnyLabel(labels=('Person', 'Place'))
(c:Person|Place)

// HasAnyLabel(labels=('Per son',))
$_filter_0 IN labels(c)
// $_filter_0: 'Per son'

// HasAnyLabel(labels=('Per son', 'Pla ce'))
any(_filter_element IN labels(c) WHERE _filter_element IN $_filter_0)
// $_filter_0: ['Per son', 'Pla ce']

// HasAnyLabel(labels=('Person', 'Per son'))
((c:Person) OR ($_filter_0 IN labels(c)))
// $_filter_0: 'Per son'

// HasAnyLabel(labels=('Person', 'Per son', 'Pla ce'))
((c:Person) OR (any(_filter_element IN labels(c) WHERE _filter_element IN $_filter_0)))
// $_filter_0: ['Per son', 'Pla ce']
