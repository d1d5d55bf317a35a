"""One suite for all stores: what each capability promises, as test classes that a store's tests inherit.

    class TestMyStore(FilterConformance):
        @pytest.fixture
        def store(self):
            with MyStore(embedder=self.embedder) as store:
                yield store

Expected results come from the definitions in `graphrag.filters`, never from typed-in lists.
"""

from graphrag.testing.conformance.filters import FilterConformance

__all__ = ["FilterConformance"]
