// Eq(key='n', value=0)
(c.n >= $_filter_0) AND (c.n <= $_filter_1)
// never null: coalesce((c.n >= $_filter_0) AND (c.n <= $_filter_1), false)
// $_filter_0: -0.0
// $_filter_1: 0.0

// Ne(key='n', value=0.0)
NOT coalesce((c.n >= $_filter_0) AND (c.n <= $_filter_1), false)
// $_filter_0: -0.0
// $_filter_1: 0.0

// Eq(key='n', value=4611686018427387904)
CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END
// never null: coalesce(CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END, false)
// $_filter_0: [4611686018427387904]
// $_filter_1: [4.611686018427388e+18]

// Eq(key='n', value=4611686018427387905)
CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END
// never null: coalesce(CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END, false)
// $_filter_0: [4611686018427387905]
// $_filter_1: [nan]

// Ne(key='n', value=9.223372036854776e+18)
NOT coalesce(CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END, false)
// $_filter_0: [nan]
// $_filter_1: [9.223372036854776e+18]

// Eq(key='n', value=(0, 1))
CASE WHEN c.n IS :: LIST<INTEGER NOT NULL> NOT NULL THEN c.n = $_filter_0 WHEN c.n IS :: LIST<ANY> NOT NULL THEN c.n = $_filter_1 ELSE false END
// $_filter_0: [0, 1]
// $_filter_1: [0.0, 1.0]

// Ne(key='n', value=(4611686018427387905,))
NOT CASE WHEN c.n IS :: LIST<INTEGER NOT NULL> NOT NULL THEN c.n = $_filter_0 WHEN c.n IS :: LIST<ANY> NOT NULL THEN c.n = $_filter_1 ELSE false END
// $_filter_0: [4611686018427387905]
// $_filter_1: [nan]

// Gte(key='n', value=0)
c.n >= $_filter_0
// never null: coalesce(c.n >= $_filter_0, false)
// $_filter_0: -0.0

// Gt(key='n', value=0)
c.n > $_filter_0
// never null: coalesce(c.n > $_filter_0, false)
// $_filter_0: 0.0

// Lte(key='n', value=-0.0)
c.n <= $_filter_0
// never null: coalesce(c.n <= $_filter_0, false)
// $_filter_0: 0.0

// Lt(key='n', value=-0.0)
c.n < $_filter_0
// never null: coalesce(c.n < $_filter_0, false)
// $_filter_0: -0.0

// Lt(key='n', value=4611686018427387905)
CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n < $_filter_0 ELSE c.n < $_filter_1 END
// never null: coalesce(CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n < $_filter_0 ELSE c.n < $_filter_1 END, false)
// $_filter_0: 4611686018427387905
// $_filter_1: 4.611686018427389e+18

// Gte(key='n', value=9.223372036854776e+18)
CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n >= $_filter_0 ELSE c.n >= $_filter_1 END
// never null: coalesce(CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n >= $_filter_0 ELSE c.n >= $_filter_1 END, false)
// $_filter_0: inf
// $_filter_1: 9.223372036854776e+18

// Between(key='n', low=0, high=4611686018427387905)
CASE WHEN c.n IS :: INTEGER NOT NULL THEN (c.n >= $_filter_0) AND (c.n <= $_filter_1) ELSE (c.n >= $_filter_2) AND (c.n <= $_filter_3) END
// never null: coalesce(CASE WHEN c.n IS :: INTEGER NOT NULL THEN (c.n >= $_filter_0) AND (c.n <= $_filter_1) ELSE (c.n >= $_filter_2) AND (c.n <= $_filter_3) END, false)
// $_filter_0: -0.0
// $_filter_1: 4611686018427387905
// $_filter_2: -0.0
// $_filter_3: 4.611686018427388e+18

// In(key='n', values=(0, 1, 'x'))
CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE ((_filter_element IN $_filter_0) OR ((_filter_element >= $_filter_1) AND (_filter_element <= $_filter_2)))) ELSE ((c.n IN $_filter_0) OR ((c.n >= $_filter_1) AND (c.n <= $_filter_2))) END
// never null: coalesce(CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE ((_filter_element IN $_filter_0) OR ((_filter_element >= $_filter_1) AND (_filter_element <= $_filter_2)))) ELSE ((c.n IN $_filter_0) OR ((c.n >= $_filter_1) AND (c.n <= $_filter_2))) END, false)
// $_filter_0: [1, 'x']
// $_filter_1: -0.0
// $_filter_2: 0.0

// In(key='n', values=(4611686018427387905, 0.5, 'x'))
CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE CASE WHEN _filter_element IS :: INTEGER NOT NULL THEN _filter_element IN $_filter_0 ELSE _filter_element IN $_filter_1 END) ELSE CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END END
// never null: coalesce(CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE CASE WHEN _filter_element IS :: INTEGER NOT NULL THEN _filter_element IN $_filter_0 ELSE _filter_element IN $_filter_1 END) ELSE CASE WHEN c.n IS :: INTEGER NOT NULL THEN c.n IN $_filter_0 ELSE c.n IN $_filter_1 END END, false)
// $_filter_0: [4611686018427387905, nan]
// $_filter_1: [nan, 0.5, 'x']

// In(key='collection', values=(4611686018427387905, datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))))
CASE WHEN c.collection IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.collection, timezone: 'Z'}) IN $_filter_0 WHEN c.collection IS :: INTEGER NOT NULL THEN c.collection IN $_filter_1 ELSE c.collection IN $_filter_2 END
// never null: coalesce(CASE WHEN c.collection IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.collection, timezone: 'Z'}) IN $_filter_0 WHEN c.collection IS :: INTEGER NOT NULL THEN c.collection IN $_filter_1 ELSE c.collection IN $_filter_2 END, false)
// $_filter_0: [datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)]
// $_filter_1: [4611686018427387905]
// $_filter_2: [nan]

// HasElement(key='n', value=0)
CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE (_filter_element >= $_filter_0) AND (_filter_element <= $_filter_1)) ELSE false END
// never null: coalesce(CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE (_filter_element >= $_filter_0) AND (_filter_element <= $_filter_1)) ELSE false END, false)
// $_filter_0: -0.0
// $_filter_1: 0.0

// HasElement(key='n', value=4611686018427387905)
CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE CASE WHEN _filter_element IS :: INTEGER NOT NULL THEN _filter_element IN $_filter_0 ELSE _filter_element IN $_filter_1 END) ELSE false END
// never null: coalesce(CASE WHEN c.n IS :: LIST<ANY> NOT NULL THEN any(_filter_element IN c.n WHERE CASE WHEN _filter_element IS :: INTEGER NOT NULL THEN _filter_element IN $_filter_0 ELSE _filter_element IN $_filter_1 END) ELSE false END, false)
// $_filter_0: [4611686018427387905]
// $_filter_1: [nan]
