"""The documents, vectors and queries of the benchmark: made from a seed, the same in every run."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graphrag.model import Chunk, ContainerSection, Document, LeafSection, MaterializedDocument
from graphrag.model.identity import chunk_id, document_id, section_id

__all__ = ["SMALL_COLLECTION", "Corpus", "Sizes", "make_corpus", "make_document", "make_documents"]

SMALL_COLLECTION = "small"
"""Holds one document in a hundred: what a filtered search looks in."""
_CHUNKS_A_SECTION = 5
_SECTIONS_A_PART = 4
_WORDS_A_CHUNK = 150
_VOCABULARY = 20_000
_SPREAD = 0.8
"""Length of the noise around a cluster's centre, which has length 1: neighbours have cosines near 0.6."""
_YEARS = (2015, 2026)


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the experiment is."""

    chunks: int = 20_000
    documents: int = 200
    dimensions: int = 384
    queries: int = 200
    cluster_size: int = 50

    @property
    def chunks_a_document(self) -> int:
        """Chunks of each document."""
        return max(1, self.chunks // self.documents)


@dataclass(frozen=True)
class Corpus:
    """Clustered vectors with a text each, and queries from the same clusters."""

    sizes: Sizes
    texts: Sequence[str]
    vectors: NDArray[np.float32]
    queries: NDArray[np.float32]
    query_texts: Sequence[str]

    @cached_property
    def cosines(self) -> NDArray[np.float32]:
        """Exact cosine of each query (row) with each vector (column)."""
        return self.queries @ self.vectors.T

    def nearest(self, count: int, *, among: NDArray[np.intp] | None = None) -> list[set[int]]:
        """Return, for each query, the places of the `count` nearest vectors by brute force.

        Args:
            count: At least 1.
            among: Places to look at; by default all.
        """
        places = np.arange(len(self.vectors)) if among is None else among
        cosines = self.cosines[:, places]
        count = min(count, len(places))
        best = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
        return [{int(places[column]) for column in row} for row in best]


def make_corpus(sizes: Sizes, *, seed: int = 7) -> Corpus:
    """Return unit vectors around one centre for each few chunks, and texts of words as rare as those of a language."""
    random = np.random.default_rng(seed)
    centres = _unit(random.standard_normal((max(1, sizes.chunks // sizes.cluster_size), sizes.dimensions)))

    def near_centres(count: int) -> NDArray[np.float32]:
        chosen = centres[random.integers(len(centres), size=count)]
        noise = random.standard_normal((count, sizes.dimensions)) * (_SPREAD / np.sqrt(sizes.dimensions))
        return _unit(chosen + noise)

    words = _vocabulary(random)
    # Zipf's law: the n-th word is 1/n as frequent as the first.
    weights = 1 / np.arange(1, len(words) + 1)
    picks = random.choice(len(words), size=(sizes.chunks, _WORDS_A_CHUNK), p=weights / weights.sum())
    texts = [" ".join(words[row]).capitalize() + "." for row in picks]
    rare = random.integers(100, 2_000, size=(sizes.queries, 3))
    return Corpus(
        sizes=sizes,
        texts=texts,
        vectors=near_centres(sizes.chunks),
        queries=near_centres(sizes.queries),
        query_texts=[" ".join(words[row]) for row in rare],
    )


def make_documents(
    corpus: Corpus, *, name: str, collection: str | None = None, model: str = ""
) -> list[MaterializedDocument]:
    """Return the corpus as documents of equal size; one in a hundred stands in the small collection.

    Args:
        corpus: Texts and vectors.
        name: Part of each URI, so that two copies of the corpus are different documents.
        collection: Of all documents, instead.
        model: Id of the embedding model.
    """
    size = corpus.sizes.chunks_a_document
    count = -(-len(corpus.texts) // size)
    return [
        make_document(
            corpus,
            range(number * size, min((number + 1) * size, len(corpus.texts))),
            uri=f"bench:{name}/{number}",
            collection=collection or (SMALL_COLLECTION if number % 100 == 0 else "default"),
            model=model,
        )
        for number in range(count)
    ]


def make_document(
    corpus: Corpus, places: Sequence[int], *, uri: str, collection: str = "default", model: str = ""
) -> MaterializedDocument:
    """Return the given places of the corpus as one document: parts with sections with chunks."""
    id_ = document_id(collection, uri)
    sections: list[ContainerSection | LeafSection] = []
    chunks: list[Chunk] = []
    start = 0
    title = f"Report {uri.rpartition('/')[2]}"
    for number, place in enumerate(places):
        in_section = number % _CHUNKS_A_SECTION
        if number % (_CHUNKS_A_SECTION * _SECTIONS_A_PART) == 0:
            sections.append(_part(id_, number // (_CHUNKS_A_SECTION * _SECTIONS_A_PART)))
            part = sections[-1]
        if in_section == 0:
            sections.append(_section(part, number // _CHUNKS_A_SECTION))
        section = sections[-1]
        urtext = corpus.texts[place]
        chunks.append(
            Chunk(
                id=chunk_id(id_, urtext, 0),
                uri=uri,
                document_id=id_,
                parent_id=section.id,
                section_ids=(part.id, section.id),
                section_path=section.section_path,
                collection=collection,
                document_title=title,
                sequence_number=number,
                position=in_section,
                text=f"# Title: {title}\n# Section: {' > '.join(section.section_path)}\n\n{urtext}",
                urtext=urtext,
                start=start,
                end=start + len(urtext),
            )
        )
        start += len(urtext)
    metadata = {"owner": f"team-{places[0] % 7}", "year": _YEARS[0] + places[0] % (_YEARS[1] - _YEARS[0])}
    return MaterializedDocument(
        document=Document(
            id=id_,
            uri=uri,
            title=title,
            collection=collection,
            fingerprint="0" * 32,
            content_type="text/markdown",
            chunk_count=len(chunks),
            metadata=metadata,
        ),
        sections=tuple(sections),
        chunks=tuple(chunks),
        vectors={chunk.id: corpus.vectors[place] for chunk, place in zip(chunks, places, strict=True)},
        embedding_model=model,
    )


def _part(document: str, number: int) -> ContainerSection:
    path = (f"Part {number + 1}",)
    return ContainerSection(
        id=section_id(document, path, 0),
        document_id=document,
        parent_id=document,
        position=number,
        title=path[-1],
        level=1,
        section_path=path,
    )


def _section(part: ContainerSection | LeafSection, number: int) -> LeafSection:
    path = (*part.section_path, f"Section {number + 1}")
    return LeafSection(
        id=section_id(part.document_id, path, 0),
        document_id=part.document_id,
        parent_id=part.id,
        position=number % _SECTIONS_A_PART,
        title=path[-1],
        level=2,
        section_path=path,
    )


def _vocabulary(random: np.random.Generator) -> NDArray[np.str_]:
    syllables = np.array([a + b for a in "bdfgklmnprstv" for b in ("a", "e", "i", "o", "u", "an", "er", "il")])
    lengths = random.integers(1, 5, size=2 * _VOCABULARY)
    words = dict.fromkeys("".join(random.choice(syllables, size=length)) for length in lengths)
    return np.array(list(words)[:_VOCABULARY])


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
