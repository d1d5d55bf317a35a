-- Eq(key='owner', value='alice')
(json_extract(properties, :filter_0) = :filter_1)
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1), false)
-- filter_0: '$."owner"'
-- filter_1: 'talice'

-- Eq(key='year', value=2020)
(json_extract(properties, :filter_0) = :filter_1)
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1), false)
-- filter_0: '$."year"'
-- filter_1: 'n1457fc80000000000000'

-- Eq(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
(json_extract(properties, :filter_0) = :filter_1)
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1), false)
-- filter_0: '$."at"'
-- filter_1: 'z063844972200000000'

-- Eq(key='tags', value=('a', 'b'))
(json_extract(properties, :filter_0) = :filter_1)
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1), false)
-- filter_0: '$."tags"'
-- filter_1: '["ta","tb"]'

-- Eq(key='tags', value=())
(json_extract(properties, :filter_0) = :filter_1)
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1), false)
-- filter_0: '$."tags"'
-- filter_1: '[]'

-- Ne(key='owner', value='alice')
(NOT coalesce((json_extract(properties, :filter_0) = :filter_1), false))
-- filter_0: '$."owner"'
-- filter_1: 'talice'

-- Ne(key='tags', value=('a', 'b'))
(NOT coalesce((json_extract(properties, :filter_0) = :filter_1), false))
-- filter_0: '$."tags"'
-- filter_1: '["ta","tb"]'

-- Eq(key='indexed', value='alice')
(json_extract(properties, '$."indexed"') = :filter_0)
-- never null: coalesce((json_extract(properties, '$."indexed"') = :filter_0), false)
-- filter_0: 'talice'

-- Ne(key='indexed', value='alice')
(NOT coalesce((json_extract(properties, '$."indexed"') = :filter_0), false))
-- filter_0: 'talice'
