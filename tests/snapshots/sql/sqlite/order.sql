-- Gt(key='year', value=2020)
(json_extract(properties, :filter_0) > :filter_1 AND json_extract(properties, :filter_0) < :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) > :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false)
-- filter_0: '$."year"'
-- filter_1: 'n1457fc80000000000000'
-- filter_2: 'o'

-- Gte(key='year', value=-2.5)
(json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false)
-- filter_0: '$."year"'
-- filter_1: 'n0bb15fffffffffffffff'
-- filter_2: 'o'

-- Lt(key='day', value=datetime.date(2024, 3, 1))
(json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false)
-- filter_0: '$."day"'
-- filter_1: 'd'
-- filter_2: 'd2024-03-01'

-- Lte(key='name', value='m')
(json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) <= :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) <= :filter_2), false)
-- filter_0: '$."name"'
-- filter_1: 't'
-- filter_2: 'tm'

-- Gt(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
(json_extract(properties, :filter_0) > :filter_1 AND json_extract(properties, :filter_0) < :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) > :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false)
-- filter_0: '$."at"'
-- filter_1: 'z063844972200000000'
-- filter_2: '{'

-- Gte(key='live', value=True)
(json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false)
-- filter_0: '$."live"'
-- filter_1: 'b1'
-- filter_2: 'c'

-- Between(key='year', low=2020, high=2024)
(json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) <= :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) <= :filter_2), false)
-- filter_0: '$."year"'
-- filter_1: 'n1457fc80000000000000'
-- filter_2: 'n1457fd00000000000000'

-- Gt(key='indexed', value=2020)
(json_extract(properties, '$."indexed"') > :filter_0 AND json_extract(properties, '$."indexed"') < :filter_1)
-- never null: coalesce((json_extract(properties, '$."indexed"') > :filter_0 AND json_extract(properties, '$."indexed"') < :filter_1), false)
-- filter_0: 'n1457fc80000000000000'
-- filter_1: 'o'
