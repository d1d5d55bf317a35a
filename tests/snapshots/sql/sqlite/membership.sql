-- In(key='owner', values=('alice',))
(json_extract(properties, :filter_0) IN (SELECT value FROM json_each(:filter_1)) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_1)))))
-- never null: coalesce((json_extract(properties, :filter_0) IN (SELECT value FROM json_each(:filter_1)) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_1))))), false)
-- filter_0: '$."owner"'
-- filter_1: '["talice"]'

-- In(key='owner', values=('alice', 1, 1.0, True))
(json_extract(properties, :filter_0) IN (SELECT value FROM json_each(:filter_1)) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_1)))))
-- never null: coalesce((json_extract(properties, :filter_0) IN (SELECT value FROM json_each(:filter_1)) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_1))))), false)
-- filter_0: '$."owner"'
-- filter_1: '["talice","n144d8000000000000000","b1"]'

-- Nin(key='owner', values=('alice', 'bob'))
(NOT coalesce((json_extract(properties, :filter_0) IN (SELECT value FROM json_each(:filter_1)) OR (json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_1))))), false))
-- filter_0: '$."owner"'
-- filter_1: '["talice","tbob"]'

-- In(key='owner', values=())
false

-- Nin(key='owner', values=())
true

-- HasElement(key='tags', value='a')
(json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value = :filter_1))
-- never null: coalesce((json_extract(properties, :filter_0) >= '[' AND json_extract(properties, :filter_0) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_0) AS filter_element WHERE filter_element.value = :filter_1)), false)
-- filter_0: '$."tags"'
-- filter_1: 'ta'

-- In(key='indexed', values=('alice', 'bob'))
(json_extract(properties, '$."indexed"') IN (SELECT value FROM json_each(:filter_0)) OR (json_extract(properties, '$."indexed"') >= '[' AND json_extract(properties, '$."indexed"') < '\' AND EXISTS (SELECT 1 FROM json_each(properties, '$."indexed"') AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_0)))))
-- never null: coalesce((json_extract(properties, '$."indexed"') IN (SELECT value FROM json_each(:filter_0)) OR (json_extract(properties, '$."indexed"') >= '[' AND json_extract(properties, '$."indexed"') < '\' AND EXISTS (SELECT 1 FROM json_each(properties, '$."indexed"') AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_0))))), false)
-- filter_0: '["talice","tbob"]'

-- HasElement(key='indexed', value='a')
(json_extract(properties, '$."indexed"') >= '[' AND json_extract(properties, '$."indexed"') < '\' AND EXISTS (SELECT 1 FROM json_each(properties, '$."indexed"') AS filter_element WHERE filter_element.value = :filter_0))
-- never null: coalesce((json_extract(properties, '$."indexed"') >= '[' AND json_extract(properties, '$."indexed"') < '\' AND EXISTS (SELECT 1 FROM json_each(properties, '$."indexed"') AS filter_element WHERE filter_element.value = :filter_0)), false)
-- filter_0: 'ta'

-- HasAnyLabel(labels=('Person',))
EXISTS (SELECT 1 FROM json_each(labels) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_0)))
-- filter_0: '["Person"]'

-- HasAnyLabel(labels=('Person', 'Per son'))
EXISTS (SELECT 1 FROM json_each(labels) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_0)))
-- filter_0: '["Person","Per son"]'
