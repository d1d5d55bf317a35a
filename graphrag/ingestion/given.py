"""Documents whose chunks the caller has made: from a list of chunks to what a store takes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphrag.errors import InvalidRequestError
from graphrag.model import Chunk, ContainerSection, Document, LeafSection, MaterializedDocument, Section
from graphrag.model.cleaning import clean_text
from graphrag.model.identity import check_collection, chunk_id, document_id, section_id

__all__ = ["GivenChunk", "materialize_given"]


@dataclass(frozen=True, slots=True)
class GivenChunk:
    """A chunk of the caller's own making.

    Attributes:
        urtext: Its text as it stands in the document; not empty.
        text: What is indexed and embedded; None takes `urtext`.
        section_path: Titles of the sections above it; chunks of one section stand together.
        embedding: Its vector, of the store's model; None lets the store's embedder make it.
        metadata: Beside the document's.
        page: 1-based, where known.
    """

    urtext: str
    text: str | None = None
    section_path: tuple[str, ...] = ()
    embedding: NDArray[np.float32] | Sequence[float] | None = None
    metadata: Mapping[str, object] = field(default_factory=dict[str, object])
    page: int | None = None


def materialize_given(
    document: Document, chunks: Sequence[GivenChunk], *, embedding_model: str
) -> MaterializedDocument:
    """Return the document with these chunks, in their order.

    Args:
        document: URI, collection, title and metadata count; id and number of chunks are set here.
        chunks: At least one.
        embedding_model: Id of the model of the given vectors.

    Raises:
        InvalidRequestError: There is no chunk, or one without text; it is named by its number.
    """
    if not chunks:
        msg = f"`{document.uri}` has no chunks; give at least one, or delete the document"
        raise InvalidRequestError(msg)
    id_ = document_id(check_collection(document.collection), document.uri)
    tree = _Tree(id_)
    made: list[Chunk] = []
    vectors: dict[str, NDArray[np.float32]] = {}
    seen: Counter[str] = Counter()
    title = clean_text(document.title).text
    start = 0
    for number, given in enumerate(chunks):
        urtext = clean_text(given.urtext).text
        if not urtext:
            msg = f"chunk {number} of `{document.uri}` has no text"
            raise InvalidRequestError(msg)
        path = tuple(clean_text(title).text for title in given.section_path)
        parent = tree.open(path)
        chunk = Chunk(
            id=chunk_id(id_, urtext, seen[urtext]),
            uri=document.uri,
            metadata={**document.metadata, **given.metadata},
            document_id=id_,
            parent_id=parent,
            section_ids=tree.ids,
            section_path=path,
            collection=document.collection,
            document_title=title,
            sequence_number=number,
            position=tree.place_below(parent),
            text=clean_text(given.text).text if given.text is not None else urtext,
            urtext=urtext,
            start=start,
            end=start + len(urtext),
            page=given.page,
        )
        seen[urtext] += 1
        start += len(urtext)
        made.append(chunk)
        if given.embedding is not None:
            vectors[chunk.id] = np.asarray(given.embedding, dtype=np.float32)
    root = document.model_copy(update={"id": id_, "title": title, "chunk_count": len(made)})
    return MaterializedDocument(root, tree.finish(), tuple(made), vectors, embedding_model)


class _Tree:
    """The sections that a sequence of paths opens, one after the other."""

    def __init__(self, document_id: str) -> None:
        self._document_id = document_id
        self._open: list[tuple[str, str]] = []
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._children: Counter[str] = Counter()
        self._sections: list[Section] = []

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the open sections, from the top one down."""
        return tuple(id_ for _, id_ in self._open)

    def open(self, path: tuple[str, ...]) -> str:
        """Open the sections of a path, as far as they are not; return the id that chunks hang on."""
        common = 0
        while common < min(len(path), len(self._open)) and self._open[common][0] == path[common]:
            common += 1
        del self._open[common:]
        for depth in range(common, len(path)):
            titles = path[: depth + 1]
            parent = self._open[-1][1] if self._open else self._document_id
            id_ = section_id(self._document_id, titles, self._seen[titles])
            self._seen[titles] += 1
            self._sections.append(
                LeafSection(
                    id=id_,
                    document_id=self._document_id,
                    parent_id=parent,
                    position=self.place_below(parent),
                    title=path[depth],
                    level=depth + 1,
                    section_path=titles,
                )
            )
            self._open.append((path[depth], id_))
        return self._open[-1][1] if self._open else self._document_id

    def place_below(self, parent: str) -> int:
        """Return the next place among a parent's children."""
        place = self._children[parent]
        self._children[parent] += 1
        return place

    def finish(self) -> tuple[Section, ...]:
        """Return all sections; those with sections below them as containers."""
        parents = {section.parent_id for section in self._sections}
        return tuple(
            ContainerSection(**section.model_dump()) if section.id in parents else section for section in self._sections
        )
