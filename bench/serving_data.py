"""What the searches of many clients look for and through: chunks of owners, each with the number of a ticket."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bench.data import Corpus, Sizes, make_corpus
from bench.loading import load_chunks, vector_index_name
from bench.setting import Setting

__all__ = ["OWNER_SHARES", "PATTERNS", "ServingData", "Share", "serving_corpus", "store_serving"]

_CLUSTER_SIZE = 150
_CHUNKS_A_TICKET = 4
_TEXT_INDEXES = ("chunk_text", "chunk_urtext")
PATTERNS = ("selective literal", "dense literal", "no literal")
"""A number that four chunks bear; a word that all bear, before what one in a hundred bears; classes of digits alone."""


@dataclass(frozen=True, slots=True)
class Share:
    """A filter by owner.

    Attributes:
        name: The share of all chunks that passes, in words.
        owner: Whose chunks; None for all.
    """

    name: str
    owner: str | None


OWNER_SHARES = (Share("all", None), Share("10 %", "team-a"), Share("1 %", "team-b"))
_OWNED = {"team-a": 10, "team-b": 100}
"""One in how many chunks is of the owner."""
_OTHERS = "team-z"


@dataclass(frozen=True, slots=True)
class ServingData:
    """What the database holds.

    Attributes:
        corpus: Texts, vectors and queries.
        places: Place in the corpus by chunk id.
        owners: Owner of each place.
        tickets: Number in the text of each place.
        index: Name of the vector index.
        patterns: Regular expressions, one a query, by name.
        literals: What the selective ones contain.
    """

    corpus: Corpus
    places: Mapping[str, int]
    owners: NDArray[np.str_]
    tickets: NDArray[np.int_]
    index: str
    patterns: Mapping[str, Sequence[str]]
    literals: Sequence[str]

    def among(self, share: Share) -> NDArray[np.intp]:
        """Return the places that a filter lets through."""
        return np.arange(len(self.owners)) if share.owner is None else np.flatnonzero(self.owners == share.owner)


def serving_corpus(chunks: int, *, queries: int) -> Corpus:
    """Return the usual corpus in larger clusters, each text with a ticket's number at its end.

    Neighbours that are many and alike are what a quantized index mixes up: of clusters of 150, one that is asked for
    ten finds two thirds of the nearest ten, and 50 are needed for all of them; of clusters of 50, 20 are.
    """
    corpus = make_corpus(Sizes(chunks, max(1, chunks // 100), queries=queries, cluster_size=_CLUSTER_SIZE))
    numbers = _tickets(chunks)
    texts = [f"{text} Ticket {_code(number)}." for text, number in zip(corpus.texts, numbers.tolist(), strict=True)]
    return replace(corpus, texts=texts)


def store_serving(setting: Setting) -> ServingData:
    """Write the corpus under all indexes of the schema, with `owner` as a property that the vector index filters by."""
    setting.start_afresh()
    setting.store.add_filter_properties(["owner"])
    # Made after the data: indexes of text are built several times as fast from what is stored.
    for name in _TEXT_INDEXES:
        setting.driver.execute_query(f"DROP INDEX {name}")  # a literal above
    corpus = setting.corpus
    owners = _owners(corpus.sizes.chunks)
    places = load_chunks(setting, lambda place: ({"owner": str(owners[place])}, []), name="serving")
    setting.store.apply_schema()
    tickets = _tickets(corpus.sizes.chunks)
    random = np.random.default_rng(13)
    literals = [_code(int(number)) for number in random.choice(tickets, size=corpus.sizes.queries)]
    # Numbers have leading zeros, so only their last digits are of all kinds.
    ends = [f"{number:02d}" for number in random.integers(100, size=corpus.sizes.queries)]
    classes = ["".join(map(str, random.choice(10, size=2, replace=False))) for _ in range(corpus.sizes.queries)]
    patterns = {
        "selective literal": [rf"\b{literal}\b" for literal in literals],
        "dense literal": [rf"Ticket TK-\d*{end}\b" for end in ends],
        "no literal": [rf"\b[A-Z]{{2}}-\d{{3}}[{digits}]{{3}}\b" for digits in classes],
    }
    return ServingData(corpus, places, owners, tickets, vector_index_name(setting.driver), patterns, literals)


def _owners(count: int) -> NDArray[np.str_]:
    owners = np.full(count, _OTHERS)
    order = np.random.default_rng(12).permutation(count)
    start = 0
    for owner, one_in in _OWNED.items():
        end = start + max(1, count // one_in)
        owners[order[start:end]] = owner
        start = end
    return owners


def _tickets(count: int) -> NDArray[np.int_]:
    """Return a number for each place, so that the chunks of a ticket are in different documents."""
    numbers: NDArray[np.int_] = np.random.default_rng(14).permutation(count) // _CHUNKS_A_TICKET
    return numbers


def _code(number: int) -> str:
    return f"TK-{number:06d}"
