"""What an evaluation asks: documents, queries, and what is relevant to each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias
from urllib.parse import quote

from graphrag.ingestion.sources import canonical_uri

__all__ = ["Dataset", "DatasetForm", "EvaluationDocument", "EvaluationQuery", "Span"]

DatasetForm: TypeAlias = Literal["judged_documents", "marked_spans"]
"""What answers a query: whole documents of a corpus, or spans of characters in long documents."""

_MAX_SLUG_CHARS = 40
_NO_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class EvaluationDocument:
    """One document of a data set.

    Attributes:
        id: As judgements name it.
        title: May be empty.
        text: Its text; for one of the folder `docs/` the whole file, decoded as UTF-8 with its line ends.
    """

    id: str
    title: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class EvaluationQuery:
    """One query.

    Attributes:
        id: As judgements name it.
        text: What is searched for.
    """

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a document that answer a query.

    Attributes:
        document_id: The data set's id of the document.
        start: First code point, from 0.
        end: One past the last; over `start`.
    """

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents, the queries that have an answer among them, and the answers.

    Attributes:
        name: The folder's name.
        form: What answers a query.
        documents: In the order of the files.
        queries: Those that have an answer, in the order of the file.
        relevant: For judged documents: query id to document id to gain, at least 1.
        spans: For marked spans: query id to spans, at least one.
        notes: Sentences on what was left out.
    """

    name: str
    form: DatasetForm
    documents: tuple[EvaluationDocument, ...] = field(repr=False)
    queries: tuple[EvaluationQuery, ...] = field(repr=False)
    relevant: Mapping[str, Mapping[str, int]] = field(default_factory=dict, repr=False)
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        """The name in lower-case letters, digits and hyphens, at most 40 characters."""
        return _NO_SLUG.sub("-", self.name.lower()).strip("-")[:_MAX_SLUG_CHARS].strip("-") or "dataset"

    @property
    def uri_prefix(self) -> str:
        """What the URIs of its documents begin with, and those of no other data set."""
        return f"eval:{self.slug}/"

    def uri_of(self, document: EvaluationDocument) -> str:
        """Return the canonical URI under which a document is stored."""
        return canonical_uri(self.uri_prefix + quote(document.id, safe=""))
