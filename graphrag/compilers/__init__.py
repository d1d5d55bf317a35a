"""From filters to the predicates of query languages."""
