"""Filters: one language, one meaning, in every store."""
