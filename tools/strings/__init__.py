"""Searches of a real server for any text at all, compared with what Lucene's analyzer says (`make strings-check`)."""

__all__: list[str] = []
