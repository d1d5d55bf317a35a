-- In(key='owner', values=('alice',))
(properties -> %(filter_0)s::text ?| %(filter_1)s::text[])
-- never null: coalesce((properties -> %(filter_0)s::text ?| %(filter_1)s::text[]), false)
-- filter_0: 'owner'
-- filter_1: ['talice']

-- In(key='owner', values=('alice', 1, 1.0, True))
(properties -> %(filter_0)s::text ?| %(filter_1)s::text[])
-- never null: coalesce((properties -> %(filter_0)s::text ?| %(filter_1)s::text[]), false)
-- filter_0: 'owner'
-- filter_1: ['talice', 'n144d8000000000000000', 'b1']

-- Nin(key='owner', values=('alice', 'bob'))
(NOT coalesce((properties -> %(filter_0)s::text ?| %(filter_1)s::text[]), false))
-- filter_0: 'owner'
-- filter_1: ['talice', 'tbob']

-- In(key='owner', values=())
false

-- Nin(key='owner', values=())
true

-- HasElement(key='tags', value='a')
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"tags":["ta"]}'

-- In(key='indexed', values=('alice', 'bob'))
(properties -> 'indexed' ?| %(filter_0)s::text[])
-- never null: coalesce((properties -> 'indexed' ?| %(filter_0)s::text[]), false)
-- filter_0: ['talice', 'tbob']

-- HasElement(key='indexed', value='a')
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"indexed":["ta"]}'

-- HasAnyLabel(labels=('Person',))
(labels ?| %(filter_0)s::text[])
-- filter_0: ['Person']

-- HasAnyLabel(labels=('Person', 'Per son'))
(labels ?| %(filter_0)s::text[])
-- filter_0: ['Person', 'Per son']
