"""Filtering of results that are already there, for stores that cannot do it themselves."""

from collections.abc import Sequence
from typing import TypeVar

from graphrag.filters.nodes import PropertyFilter, filter_node
from graphrag.filters.objects import matches_object
from graphrag.model.datum import Datum
from graphrag.model.entity import NamedEntityData
from graphrag.model.result import ResultList, SimilarityResult

__all__ = ["InMemoryPropertyFilter"]

T = TypeVar("T", bound=Datum)


class InMemoryPropertyFilter:
    """Filters results of a search after the search: the fallback for any store.

    A store that uses it should ask for more results than are wanted, since filtering leaves fewer.
    """

    @staticmethod
    def filter_results(
        results: Sequence[SimilarityResult[T]],
        metadata_filter: PropertyFilter | None = None,
        entity_filter: PropertyFilter | None = None,
    ) -> ResultList[SimilarityResult[T]]:
        """Return the results that the filters let through, in their order.

        Args:
            results: Of any search.
            metadata_filter: Must be true of each result's own properties and labels.
            entity_filter: Must be true of an entity's; other results are not asked.

        Returns:
            The results that are left. Notes and explanations of a `ResultList` are kept; where results were dropped,
            one more note says how many.

        Raises:
            InvalidFilterError: A filter is no filter.
            UnsupportedFilterError: A filter is none of this package's nodes.
        """
        of_all = () if metadata_filter is None else (filter_node(metadata_filter),)
        of_entities = () if entity_filter is None else (filter_node(entity_filter),)
        kept = [
            result
            for result in results
            if all(
                matches_object(filter_, result.match)
                for filter_ in (*of_all, *(of_entities if isinstance(result.match, NamedEntityData) else ()))
            )
        ]
        notes, explanations = (results.notes, results.explanations) if isinstance(results, ResultList) else ((), ())
        if len(kept) < len(results):
            notes = (*notes, f"filters dropped {len(results) - len(kept)} of {len(results)} results")
        return ResultList(kept, notes=notes, explanations=explanations)
