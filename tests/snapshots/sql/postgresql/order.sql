-- Gt(key='year', value=2020)
(((properties ->> %(filter_0)s::text) COLLATE "C") > %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") > %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false)
-- filter_0: 'year'
-- filter_1: 'n1457fc80000000000000'
-- filter_2: 'o'

-- Gte(key='year', value=-2.5)
(((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false)
-- filter_0: 'year'
-- filter_1: 'n0bb15fffffffffffffff'
-- filter_2: 'o'

-- Lt(key='day', value=datetime.date(2024, 3, 1))
(((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false)
-- filter_0: 'day'
-- filter_1: 'd'
-- filter_2: 'd2024-03-01'

-- Lte(key='name', value='m')
(((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") <= %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") <= %(filter_2)s::text), false)
-- filter_0: 'name'
-- filter_1: 't'
-- filter_2: 'tm'

-- Gt(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
(((properties ->> %(filter_0)s::text) COLLATE "C") > %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") > %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false)
-- filter_0: 'at'
-- filter_1: 'z063844972200000000'
-- filter_2: '{'

-- Gte(key='live', value=True)
(((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false)
-- filter_0: 'live'
-- filter_1: 'b1'
-- filter_2: 'c'

-- Between(key='year', low=2020, high=2024)
(((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") <= %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") <= %(filter_2)s::text), false)
-- filter_0: 'year'
-- filter_1: 'n1457fc80000000000000'
-- filter_2: 'n1457fd00000000000000'

-- Gt(key='indexed', value=2020)
(((properties ->> 'indexed') COLLATE "C") > %(filter_0)s::text AND ((properties ->> 'indexed') COLLATE "C") < %(filter_1)s::text)
-- never null: coalesce((((properties ->> 'indexed') COLLATE "C") > %(filter_0)s::text AND ((properties ->> 'indexed') COLLATE "C") < %(filter_1)s::text), false)
-- filter_0: 'n1457fc80000000000000'
-- filter_1: 'o'
