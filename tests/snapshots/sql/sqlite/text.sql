-- Contains(key='name', value='x%_')
((json_extract(properties, :filter_2) >= 't' AND json_extract(properties, :filter_2) < 'u' AND instr(substr(json_extract(properties, :filter_2), 2), :filter_3) > 0) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value = :filter_1)))
-- never null: coalesce(((json_extract(properties, :filter_2) >= 't' AND json_extract(properties, :filter_2) < 'u' AND instr(substr(json_extract(properties, :filter_2), 2), :filter_3) > 0) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value = :filter_1))), false)
-- filter_0: '$."name"'
-- filter_1: 'tx%_'
-- filter_2: '$."name"'
-- filter_3: 'x%_'

-- Contains(key='name', value=1)
(json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value = :filter_1))
-- never null: coalesce((json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value = :filter_1)), false)
-- filter_0: '$."name"'
-- filter_1: 'n144d8000000000000000'

-- StartsWith(key='name', value='x')
(json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2)
-- never null: coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false)
-- filter_0: '$."name"'
-- filter_1: 'tx'
-- filter_2: 'ty'

-- EndsWith(key='name', value='x')
(json_extract(properties, :filter_0) >= 't' AND json_extract(properties, :filter_0) < 'u' AND substr(substr(json_extract(properties, :filter_0), 2), -length(:filter_1)) = :filter_1)
-- never null: coalesce((json_extract(properties, :filter_0) >= 't' AND json_extract(properties, :filter_0) < 'u' AND substr(substr(json_extract(properties, :filter_0), 2), -length(:filter_1)) = :filter_1), false)
-- filter_0: '$."name"'
-- filter_1: 'x'

-- EndsWith(key='name', value='')
(json_extract(properties, :filter_0) >= 't' AND json_extract(properties, :filter_0) < 'u')
-- never null: coalesce((json_extract(properties, :filter_0) >= 't' AND json_extract(properties, :filter_0) < 'u'), false)
-- filter_0: '$."name"'

-- EqIgnoreCase(key='name', value='X')
(coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)) = :filter_2)
-- never null: coalesce((coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)) = :filter_2), false)
-- filter_0: '$."%lname"'
-- filter_1: '$."name"'
-- filter_2: 'tx'

-- ContainsIgnoreCase(key='name', value='X')
(coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)) >= 't' AND coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)) < 'u' AND instr(substr(coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)), 2), :filter_2) > 0)
-- never null: coalesce((coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)) >= 't' AND coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)) < 'u' AND instr(substr(coalesce(json_extract(properties, :filter_0), json_extract(properties, :filter_1)), 2), :filter_2) > 0), false)
-- filter_0: '$."%lname"'
-- filter_1: '$."name"'
-- filter_2: 'x'

-- Contains(key='indexed', value='x')
((json_extract(properties, '$."indexed"') >= 't' AND json_extract(properties, '$."indexed"') < 'u' AND instr(substr(json_extract(properties, '$."indexed"'), 2), :filter_1) > 0) OR (json_extract(properties, '$."indexed"') >= '[' AND json_extract(properties, '$."indexed"') < '\' AND EXISTS (SELECT 1 FROM json_each(properties, '$."indexed"') AS filter_element WHERE filter_element.value = :filter_0)))
-- never null: coalesce(((json_extract(properties, '$."indexed"') >= 't' AND json_extract(properties, '$."indexed"') < 'u' AND instr(substr(json_extract(properties, '$."indexed"'), 2), :filter_1) > 0) OR (json_extract(properties, '$."indexed"') >= '[' AND json_extract(properties, '$."indexed"') < '\' AND EXISTS (SELECT 1 FROM json_each(properties, '$."indexed"') AS filter_element WHERE filter_element.value = :filter_0))), false)
-- filter_0: 'tx'
-- filter_1: 'x'

-- StartsWith(key='indexed', value='x')
(json_extract(properties, '$."indexed"') >= :filter_0 AND json_extract(properties, '$."indexed"') < :filter_1)
-- never null: coalesce((json_extract(properties, '$."indexed"') >= :filter_0 AND json_extract(properties, '$."indexed"') < :filter_1), false)
-- filter_0: 'tx'
-- filter_1: 'ty'

-- EqIgnoreCase(key='indexed', value='X')
(coalesce(json_extract(properties, :filter_0), json_extract(properties, '$."indexed"')) = :filter_1)
-- never null: coalesce((coalesce(json_extract(properties, :filter_0), json_extract(properties, '$."indexed"')) = :filter_1), false)
-- filter_0: '$."%lindexed"'
-- filter_1: 'tx'
