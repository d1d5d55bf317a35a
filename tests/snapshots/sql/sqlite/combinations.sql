-- And(filters=(Eq(key='owner', value='alice'), Gte(key='confidenceScore', value=0.5)))
(json_extract(properties, :filter_0) = :filter_1) AND (json_extract(properties, :filter_2) >= :filter_3 AND json_extract(properties, :filter_2) < :filter_4)
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1) AND (json_extract(properties, :filter_2) >= :filter_3 AND json_extract(properties, :filter_2) < :filter_4), false)
-- filter_0: '$."owner"'
-- filter_1: 'talice'
-- filter_2: '$."confidenceScore"'
-- filter_3: 'n144c8000000000000000'
-- filter_4: 'o'

-- Or(filters=(Eq(key='owner', value='alice'), Eq(key='owner', value='bob')))
((json_extract(properties, :filter_0) = :filter_1) OR (json_extract(properties, :filter_2) = :filter_3))
-- never null: coalesce(((json_extract(properties, :filter_0) = :filter_1) OR (json_extract(properties, :filter_2) = :filter_3)), false)
-- filter_0: '$."owner"'
-- filter_1: 'talice'
-- filter_2: '$."owner"'
-- filter_3: 'tbob'

-- And(filters=(Or(filters=(Eq(key='owner', value='alice'), Eq(key='owner', value='bob'))), Exists(key='a"b%')))
((json_extract(properties, :filter_0) = :filter_1) OR (json_extract(properties, :filter_2) = :filter_3)) AND (json_extract(properties, :filter_4) IS NOT NULL)
-- never null: coalesce(((json_extract(properties, :filter_0) = :filter_1) OR (json_extract(properties, :filter_2) = :filter_3)) AND (json_extract(properties, :filter_4) IS NOT NULL), false)
-- filter_0: '$."owner"'
-- filter_1: 'talice'
-- filter_2: '$."owner"'
-- filter_3: 'tbob'
-- filter_4: '$."a%22b%25"'

-- Not(filter=Gte(key='year', value=2020))
(NOT coalesce((json_extract(properties, :filter_0) >= :filter_1 AND json_extract(properties, :filter_0) < :filter_2), false))
-- filter_0: '$."year"'
-- filter_1: 'n1457fc80000000000000'
-- filter_2: 'o'

-- Not(filter=Exists(key='owner'))
(NOT (json_extract(properties, :filter_0) IS NOT NULL))
-- filter_0: '$."owner"'

-- Not(filter=And(filters=(Eq(key='owner', value='alice'), Exists(key='year'))))
(NOT coalesce(((json_extract(properties, :filter_0) = :filter_1) AND (json_extract(properties, :filter_2) IS NOT NULL)), false))
-- filter_0: '$."owner"'
-- filter_1: 'talice'
-- filter_2: '$."year"'

-- And(filters=())
true

-- Or(filters=())
false

-- And(filters=(Eq(key='owner', value='alice'), HasAnyLabel(labels=('Person', 'Place')), Not(filter=In(key='status', values=('draft', 'deleted')))))
(json_extract(properties, :filter_0) = :filter_1) AND EXISTS (SELECT 1 FROM json_each(labels) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_2))) AND (NOT coalesce((json_extract(properties, :filter_3) IN (SELECT value FROM json_each(:filter_4)) OR (json_extract(properties, :filter_3) >= '[' AND json_extract(properties, :filter_3) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_3) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_4))))), false))
-- never null: coalesce((json_extract(properties, :filter_0) = :filter_1) AND EXISTS (SELECT 1 FROM json_each(labels) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_2))) AND (NOT coalesce((json_extract(properties, :filter_3) IN (SELECT value FROM json_each(:filter_4)) OR (json_extract(properties, :filter_3) >= '[' AND json_extract(properties, :filter_3) < '\' AND EXISTS (SELECT 1 FROM json_each(properties, :filter_3) AS filter_element WHERE filter_element.value IN (SELECT value FROM json_each(:filter_4))))), false)), false)
-- filter_0: '$."owner"'
-- filter_1: 'talice'
-- filter_2: '["Person","Place"]'
-- filter_3: '$."status"'
-- filter_4: '["tdraft","tdeleted"]'
