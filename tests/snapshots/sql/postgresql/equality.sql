-- Eq(key='owner', value='alice')
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"owner":"talice"}'

-- Eq(key='year', value=2020)
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"year":"n1457fc80000000000000"}'

-- Eq(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"at":"z063844972200000000"}'

-- Eq(key='tags', value=('a', 'b'))
(properties -> %(filter_0)s::text = %(filter_1)s::jsonb)
-- never null: coalesce((properties -> %(filter_0)s::text = %(filter_1)s::jsonb), false)
-- filter_0: 'tags'
-- filter_1: '["ta","tb"]'

-- Eq(key='tags', value=())
(properties -> %(filter_0)s::text = %(filter_1)s::jsonb)
-- never null: coalesce((properties -> %(filter_0)s::text = %(filter_1)s::jsonb), false)
-- filter_0: 'tags'
-- filter_1: '[]'

-- Ne(key='owner', value='alice')
(NOT coalesce((properties @> %(filter_0)s::jsonb), false))
-- filter_0: '{"owner":"talice"}'

-- Ne(key='tags', value=('a', 'b'))
(NOT coalesce((properties -> %(filter_0)s::text = %(filter_1)s::jsonb), false))
-- filter_0: 'tags'
-- filter_1: '["ta","tb"]'

-- Eq(key='indexed', value='alice')
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"indexed":"talice"}'

-- Ne(key='indexed', value='alice')
(NOT coalesce((properties @> %(filter_0)s::jsonb), false))
-- filter_0: '{"indexed":"talice"}'
