-- Contains(key='name', value='x%_')
((((properties ->> %(filter_1)s::text) COLLATE "C") >= 't' AND ((properties ->> %(filter_1)s::text) COLLATE "C") < 'u' AND strpos(substr(((properties ->> %(filter_1)s::text) COLLATE "C"), 2), %(filter_2)s::text) > 0) OR (properties @> %(filter_0)s::jsonb))
-- never null: coalesce(((((properties ->> %(filter_1)s::text) COLLATE "C") >= 't' AND ((properties ->> %(filter_1)s::text) COLLATE "C") < 'u' AND strpos(substr(((properties ->> %(filter_1)s::text) COLLATE "C"), 2), %(filter_2)s::text) > 0) OR (properties @> %(filter_0)s::jsonb)), false)
-- filter_0: '{"name":["tx%_"]}'
-- filter_1: 'name'
-- filter_2: 'x%_'

-- Contains(key='name', value=1)
(properties @> %(filter_0)s::jsonb)
-- never null: coalesce((properties @> %(filter_0)s::jsonb), false)
-- filter_0: '{"name":["n144d8000000000000000"]}'

-- StartsWith(key='name', value='x')
(((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= %(filter_1)s::text AND ((properties ->> %(filter_0)s::text) COLLATE "C") < %(filter_2)s::text), false)
-- filter_0: 'name'
-- filter_1: 'tx'
-- filter_2: 'ty'

-- EndsWith(key='name', value='x')
(((properties ->> %(filter_0)s::text) COLLATE "C") >= 't' AND ((properties ->> %(filter_0)s::text) COLLATE "C") < 'u' AND right(substr(((properties ->> %(filter_0)s::text) COLLATE "C"), 2), length(%(filter_1)s::text)) = %(filter_1)s::text)
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= 't' AND ((properties ->> %(filter_0)s::text) COLLATE "C") < 'u' AND right(substr(((properties ->> %(filter_0)s::text) COLLATE "C"), 2), length(%(filter_1)s::text)) = %(filter_1)s::text), false)
-- filter_0: 'name'
-- filter_1: 'x'

-- EndsWith(key='name', value='')
(((properties ->> %(filter_0)s::text) COLLATE "C") >= 't' AND ((properties ->> %(filter_0)s::text) COLLATE "C") < 'u')
-- never null: coalesce((((properties ->> %(filter_0)s::text) COLLATE "C") >= 't' AND ((properties ->> %(filter_0)s::text) COLLATE "C") < 'u'), false)
-- filter_0: 'name'

-- EqIgnoreCase(key='name', value='X')
((coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C") = %(filter_2)s::text)
-- never null: coalesce(((coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C") = %(filter_2)s::text), false)
-- filter_0: '%lname'
-- filter_1: 'name'
-- filter_2: 'tx'

-- ContainsIgnoreCase(key='name', value='X')
((coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C") >= 't' AND (coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C") < 'u' AND strpos(substr((coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C"), 2), %(filter_2)s::text) > 0)
-- never null: coalesce(((coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C") >= 't' AND (coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C") < 'u' AND strpos(substr((coalesce(properties ->> %(filter_0)s::text, properties ->> %(filter_1)s::text) COLLATE "C"), 2), %(filter_2)s::text) > 0), false)
-- filter_0: '%lname'
-- filter_1: 'name'
-- filter_2: 'x'

-- Contains(key='indexed', value='x')
((((properties ->> 'indexed') COLLATE "C") >= 't' AND ((properties ->> 'indexed') COLLATE "C") < 'u' AND strpos(substr(((properties ->> 'indexed') COLLATE "C"), 2), %(filter_1)s::text) > 0) OR (properties @> %(filter_0)s::jsonb))
-- never null: coalesce(((((properties ->> 'indexed') COLLATE "C") >= 't' AND ((properties ->> 'indexed') COLLATE "C") < 'u' AND strpos(substr(((properties ->> 'indexed') COLLATE "C"), 2), %(filter_1)s::text) > 0) OR (properties @> %(filter_0)s::jsonb)), false)
-- filter_0: '{"indexed":["tx"]}'
-- filter_1: 'x'

-- StartsWith(key='indexed', value='x')
(((properties ->> 'indexed') COLLATE "C") >= %(filter_0)s::text AND ((properties ->> 'indexed') COLLATE "C") < %(filter_1)s::text)
-- never null: coalesce((((properties ->> 'indexed') COLLATE "C") >= %(filter_0)s::text AND ((properties ->> 'indexed') COLLATE "C") < %(filter_1)s::text), false)
-- filter_0: 'tx'
-- filter_1: 'ty'

-- EqIgnoreCase(key='indexed', value='X')
((coalesce(properties ->> %(filter_0)s::text, properties ->> 'indexed') COLLATE "C") = %(filter_1)s::text)
-- never null: coalesce(((coalesce(properties ->> %(filter_0)s::text, properties ->> 'indexed') COLLATE "C") = %(filter_1)s::text), false)
-- filter_0: '%lindexed'
-- filter_1: 'tx'
