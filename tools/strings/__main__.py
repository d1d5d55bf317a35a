"""Search a real server for any text at all, and compare the answers with what Lucene's own analyzer makes of the text.

    python -m tools.strings 100000               each of 100,000 texts in both modes, on a server of its own
    python -m tools.strings 100000 --seed 7      the same texts again
    python -m tools.strings 2000 --server        on the server of NEO4J_URI and the other settings

What has to hold: no text raises, in the mode `literal` nor in `lucene`; and none comes back empty in `literal` that
holds, among its first 256 terms, a term that is indexed for some chunk. What a term is, is asked of the analyzer
`english` itself, in a Java machine of this process. Chunks stand in a collection of their own, which is deleted at the
end.

The exit code is 1 where something of that does not hold, or where too few texts hold an indexed term to tell anything.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from graphrag.config import LIMITS, LocalServerSettings, Neo4jSettings, load_settings
from graphrag.errors import GraphRagError
from graphrag.jvm import JavaObject, java_class, resolve_jars, start_jvm
from graphrag.local_neo4j.server import LocalServer
from graphrag.model import Chunk, Document, MaterializedDocument, TextSimilaritySearchRequest
from graphrag.model.identity import chunk_id, document_id
from graphrag.stores import Neo4jStore
from graphrag.testing.embedder import DeterministicEmbedder

from .texts import TextMaker

__all__ = ["Finding", "Report", "compare", "main"]

_COLLECTION = "strings-check"
_DIMENSIONS = 16
_CHUNKS_A_DOCUMENT = 10
_THREADS = 2
_BATCH = 1_000
_SHOWN = 5
_TELLING_SHARE = 0.3
_ANALYZER = "org.neo4j.kernel.api.impl.schema.fulltext.analyzer.providers.English"
_TERM = "org.apache.lucene.analysis.tokenattributes.CharTermAttribute"


class Analyzer:
    """The server's analyzer `english`, which tells what the terms of a text are."""

    def __init__(self) -> None:
        start_jvm(resolve_jars("neo4j"), ["-Xmx256m"])
        self._analyzer: JavaObject = java_class(_ANALYZER)().createAnalyzer()
        self._term: JavaObject = java_class(_TERM)

    def terms(self, text: str, *, most: int | None = None) -> list[str]:
        """Return the terms of a text, in order, each as often as it stands there."""
        stream = self._analyzer.tokenStream("text", text.encode("utf-8", "replace").decode())
        term = stream.addAttribute(self._term)
        stream.reset()
        found: list[str] = []
        while (most is None or len(found) < most) and stream.incrementToken():
            found.append(str(term.toString()))
        stream.close()
        return found


@dataclass(frozen=True, slots=True)
class Finding:
    """One text for which it does not hold.

    Attributes:
        mode: `literal` or `lucene`.
        kind: How the text was made.
        text: What was searched for.
        what: What happened.
    """

    mode: str
    kind: str
    text: str
    what: str


@dataclass(slots=True)
class Report:
    """What a run found."""

    texts: int = 0
    holding: int = 0
    empty: Counter[str] = field(default_factory=Counter[str])
    kinds: Counter[str] = field(default_factory=Counter[str])
    findings: list[Finding] = field(default_factory=list[Finding])

    def add(self, finding: Finding) -> None:
        """Keep a finding; print the first ones."""
        self.findings.append(finding)
        if len(self.findings) <= _SHOWN:
            print(f"\n{finding.mode}, {finding.kind}: {finding.what}: {ascii(finding.text)[:2_000]}", file=sys.stderr)


def compare(store: Neo4jStore, analyzer: Analyzer, *, count: int, seed: int, tell: bool = False) -> Report:
    """Search for `count` generated texts in both modes.

    Args:
        store: One with a schema; documents of the collection `strings-check` are written and deleted.
        analyzer: Tells what a term is.
        count: How many texts.
        seed: Of the texts and of the documents.
        tell: Whether to write to stderr how far it is.
    """
    maker = TextMaker(seed)
    report = Report()
    with _documents(store, maker.passages):
        indexed = frozenset(term for passage in maker.passages for term in analyzer.terms(passage))
        for start in range(0, count, _BATCH):
            texts = [maker.text() for _ in range(min(_BATCH, count - start))]
            _compare_batch(store, analyzer, texts, indexed=indexed, report=report)
            if tell:
                print(f"{report.texts:,} texts, {len(report.findings)} findings", file=sys.stderr)
    return report


def _compare_batch(
    store: Neo4jStore,
    analyzer: Analyzer,
    texts: Sequence[tuple[str, str]],
    *,
    indexed: frozenset[str],
    report: Report,
) -> None:
    with ThreadPoolExecutor(_THREADS) as pool:
        for mode in ("literal", "lucene"):
            results = pool.map(lambda text, mode=mode: _search(store, text[1], mode), texts)
            for (kind, text), found in zip(texts, results, strict=True):
                if isinstance(found, str):
                    report.add(Finding(mode, kind, text, found))
                    continue
                report.empty[mode] += not found
                if mode == "lucene":
                    continue
                report.texts += 1
                report.kinds[kind] += 1
                first = analyzer.terms(text[: LIMITS.max_query_chars], most=LIMITS.max_query_terms)
                held = [term for term in first if term in indexed]
                report.holding += bool(held)
                if held and not found:
                    report.add(Finding(mode, kind, text, f"nothing was found, though the terms {held[:5]} are indexed"))


def _search(store: Neo4jStore, text: str, mode: str) -> int | str:
    """Return how many chunks were found, or what went wrong."""
    request = TextSimilaritySearchRequest(text, top_k=1)
    try:
        # The two modes are the only ones that are asked for here.
        return len(store.text_search(request, mode=mode, collections=[_COLLECTION]))  # type: ignore[arg-type]
    except GraphRagError as error:
        return f"{type(error).__name__}: {error}"
    except Exception as error:  # noqa: BLE001 - any other error is a finding too
        return f"not an error of ours: {type(error).__name__}: {error}"


@contextmanager
def _documents(store: Neo4jStore, passages: Sequence[str]) -> Iterator[None]:
    embedder = DeterministicEmbedder(store.info().dimensions or _DIMENSIONS)
    store.clear(collections=[_COLLECTION])
    texts = [passages[start : start + _CHUNKS_A_DOCUMENT] for start in range(0, len(passages), _CHUNKS_A_DOCUMENT)]
    store.write_documents([_document(f"strings:{number}", part, embedder) for number, part in enumerate(texts)])
    try:
        yield
    finally:
        store.clear(collections=[_COLLECTION])


def _document(uri: str, passages: Sequence[str], embedder: DeterministicEmbedder) -> MaterializedDocument:
    id_ = document_id(_COLLECTION, uri)
    chunks: list[Chunk] = []
    start = 0
    for number, passage in enumerate(passages):
        chunks.append(
            Chunk(
                id=chunk_id(id_, passage, number),
                uri=uri,
                document_id=id_,
                parent_id=id_,
                collection=_COLLECTION,
                document_title=uri,
                sequence_number=number,
                position=number,
                text=passage,
                urtext=passage,
                start=start,
                end=start + len(passage),
            )
        )
        start += len(passage)
    document = Document(
        id=id_,
        uri=uri,
        title=uri,
        collection=_COLLECTION,
        fingerprint="0" * 32,
        content_type="text/plain",
        chunk_count=len(chunks),
    )
    vectors = dict(zip([chunk.id for chunk in chunks], embedder.embed_documents(list(passages)), strict=True))
    return MaterializedDocument(
        document=document, chunks=tuple(chunks), vectors=vectors, embedding_model=embedder.model_id
    )


@contextmanager
def _own_server() -> Iterator[Neo4jSettings]:
    with tempfile.TemporaryDirectory(prefix="graphrag-strings-") as folder:
        server = LocalServer(LocalServerSettings(home=Path(folder) / "neo4j"))
        info = server.start()
        try:
            yield Neo4jSettings(uri=info.bolt_uri, username=info.username, password=info.password)
        finally:
            server.stop()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", type=int, nargs="?", default=100_000, help="number of texts (default: 100,000)")
    parser.add_argument("--seed", type=int, help="of texts and documents (default: a random one)")
    parser.add_argument("--server", action="store_true", help="use the server of the settings")
    options = parser.parse_args(arguments)
    seed = random.randrange(2**32) if options.seed is None else options.seed  # noqa: S311 - no cryptography
    print(f"seed {seed}", flush=True)
    began = time.perf_counter()
    analyzer = Analyzer()
    with (
        nullcontext(load_settings().neo4j) if options.server else _own_server() as settings,
        Neo4jStore(settings, DeterministicEmbedder(_DIMENSIONS)) as store,
    ):
        if not options.server:
            store.apply_schema()
        found = compare(store, analyzer, count=options.count, seed=seed, tell=True)
    share = found.holding / max(1, found.texts)
    print(
        f"{found.texts:,} texts of {len(found.kinds)} kinds {dict(found.kinds)}, each searched for in both modes: "
        f"{share:.1%} hold an indexed term among their first {LIMITS.max_query_terms}; "
        f"empty answers: {found.empty['literal']:,} literal, {found.empty['lucene']:,} lucene; "
        f"{len(found.findings)} findings, {time.perf_counter() - began:.0f} s"
    )
    return 0 if not found.findings and share >= _TELLING_SHARE else 1


if __name__ == "__main__":
    sys.exit(main())
