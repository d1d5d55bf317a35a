"""Small changes of the filter language's core, and which of them the unit tests notice (`make mutants`)."""

__all__: list[str] = []
