-- And(filters=(Eq(key='owner', value='alice'), Gte(key='confidenceScore', value=0.5)))
(properties @> %(filter_0)s::jsonb) AND (((properties ->> %(filter_1)s::text) COLLATE "C") >= %(filter_2)s::text AND ((properties ->> %(filter_1)s::text) COLLATE "C") < %(filter_3)s::text)
-- never null: coalesce((properties @> %(filter_0)s::jsonb) AND (((properties ->> %(filter_1)s::text) COLLATE "C") >= %(filter_2)s::text AND ((properties ->> %(filter_1)s::text) COLLATE "C") < %(filter_3)s::text), false)
-- filter_0: '{"owner":"talice"}'
-- filter_1: 'confidenceScore'
-- filter_2: 'n144c8000000000000000'
-- filter_3: 'o'

-- Or(filters=(Eq(key='owner', value='alice'), Eq(key='owner', value='bob')))
((properties @> %(filter_0)s::jsonb) OR (properties @> %(filter_1)s::jsonb))
-- never null: coalesce(((properties @> %(filter_0)s::jsonb) OR (properties @> %(filter_1)s::jsonb)), false)
-- filter_0: '{"owner":"talice"}'
-- filter_1: '{"owner":"tbob"}'

-- And(filters=(Or(filters=(Eq(key='owner', value='alice'), Eq(key='owner', value='bob'))), Exists(key='a"b%')))
((properties @> %(filter_0)s::jsonb) OR (properties @> %(filter_1)s::jsonb)) AND (properties ? %(filter_2)s::text)
-- never null: coalesce(((properties @> %(filter_0)s::jsonb) OR (properties @> %(filter_1)s::jsonb)) AND (properties ? %(filter_2)s::text), false)
-- filter_0: '{"owner":"talice"}'
-- filter_1: '{"owner":"tbob"}'
-- filter_2: 'a%22b%25'

-- Not(filter=Gte(key='year', value=2020))
(NOT coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false))
-- filter_0: 'year'
-- filter_1: 'n1457fc80000000000000'
-- filter_2: 'o'

-- Not(filter=Exists(key='owner'))
(NOT (properties ? %(filter_0)s::text))
-- filter_0: 'owner'

-- Not(filter=And(filters=(Eq(key='owner', value='alice'), Exists(key='year'))))
(NOT coalesce(((properties @> %(filter_0)s::jsonb) AND (properties ? %(filter_1)s::text)), false))
-- filter_0: '{"owner":"talice"}'
-- filter_1: 'year'

-- And(filters=())
true

-- Or(filters=())
false

-- And(filters=(Eq(key='owner', value='alice'), HasAnyLabel(labels=('Person', 'Place')), Not(filter=In(key='status', values=('draft', 'deleted')))))
(properties @> %(filter_0)s::jsonb) AND (labels ?| %(filter_1)s::text[]) AND (NOT coalesce((properties -> %(filter_2)s::text ?| %(filter_3)s::text[]), false))
-- never null: coalesce((properties @> %(filter_0)s::jsonb) AND (labels ?| %(filter_1)s::text[]) AND (NOT coalesce((properties -> %(filter_2)s::text ?| %(filter_3)s::text[]), false)), false)
-- filter_0: '{"owner":"talice"}'
-- filter_1: ['Person', 'Place']
-- filter_2: 'status'
-- filter_3: ['tdraft', 'tdeleted']
