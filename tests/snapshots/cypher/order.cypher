// Gt(key='year', value=2020)
c.year > $_filter_0
// never null: coalesce(c.year > $_filter_0, false)
// $_filter_0: 2020

// Gte(key='year', value=2020)
c.year >= $_filter_0
// never null: coalesce(c.year >= $_filter_0, false)
// $_filter_0: 2020

// Lt(key='day', value=datetime.date(2024, 3, 1))
c.day < $_filter_0
// never null: coalesce(c.day < $_filter_0, false)
// $_filter_0: datetime.date(2024, 3, 1)

// Lte(key='day', value=datetime.date(2024, 3, 1))
c.day <= $_filter_0
// never null: coalesce(c.day <= $_filter_0, false)
// $_filter_0: datetime.date(2024, 3, 1)

// Gt(key='at', value=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN datetime({datetime: c.at, timezone: 'Z'}) > $_filter_0 ELSE false END
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)

// Between(key='year', low=2020, high=2024)
(c.year >= $_filter_0) AND (c.year <= $_filter_1)
// never null: coalesce((c.year >= $_filter_0) AND (c.year <= $_filter_1), false)
// $_filter_0: 2020
// $_filter_1: 2024

// Between(key='at', low=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))), high=datetime.datetime(2024, 3, 1, 12, 30, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))))
CASE WHEN c.at IS :: ZONED DATETIME NOT NULL THEN (datetime({datetime: c.at, timezone: 'Z'}) >= $_filter_0) AND (datetime({datetime: c.at, timezone: 'Z'}) <= $_filter_1) ELSE false END
// $_filter_0: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)
// $_filter_1: datetime.datetime(2024, 3, 1, 10, 30, tzinfo=datetime.timezone.utc)
