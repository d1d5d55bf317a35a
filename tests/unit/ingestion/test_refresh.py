"""Policies decide from what is stored and what would be written now, and say why."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from graphrag.config import ChunkerSettings
from graphrag.errors import InvalidRequestError
from graphrag.ingestion.refresh import (
    AlwaysRefresh,
    Fingerprint,
    NeverRefreshExisting,
    NeverRefreshExistingDocumentContentPolicy,
    RefreshByAge,
    RefreshByFingerprint,
    RefreshByUriPattern,
    RefreshPolicy,
    StoredVersion,
)
from graphrag.ingestion.transformers import (
    AbstractChunkTransformer,
    AddTitlesChunkTransformer,
    ChainedChunkTransformer,
    ChunkTransformer,
    IdentityChunkTransformer,
)
from graphrag.model.metadata import check_metadata

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
URI = "https://docs.example.com/guide/a.md"


class ReadsMetadata(AbstractChunkTransformer):
    reads_metadata = True


def fingerprint(
    content: bytes = b"text",
    *,
    metadata: dict[str, object] | None = None,
    reader: str = "markdown 1",
    chunker: ChunkerSettings | None = None,
    transformer: ChunkTransformer | None = None,
    model_id: str = "mini@1234",
) -> Fingerprint:
    return Fingerprint.of(
        content,
        metadata=check_metadata({"owner": "ada"} if metadata is None else metadata),
        reader=reader,
        chunker=chunker or ChunkerSettings(),
        transformer=transformer or AddTitlesChunkTransformer(),
        model_id=model_id,
    )


def stored(version: Fingerprint, *, age: timedelta = timedelta(0), uri: str = URI) -> StoredVersion:
    return StoredVersion(uri, str(version), NOW - age)


@given(st.binary(), st.dictionaries(st.sampled_from(["a", "b", "c"]), st.integers(0, 9)), st.text())
@settings(print_blob=True)
def test_a_fingerprint_is_repeatable_and_reads_back_from_one_short_string(
    content: bytes, metadata: dict[str, object], reader: str
) -> None:
    made = fingerprint(content, metadata=metadata, reader=reader)
    again = fingerprint(content, metadata=dict(reversed(metadata.items())), reader=reader)
    assert made == again == Fingerprint.parse(str(made))
    assert len(str(made)) < 250
    assert str(made).startswith("bytes:")


def test_equal_versions_are_skipped() -> None:
    decision = RefreshByFingerprint().decide(stored(fingerprint()), fingerprint(), now=NOW)
    assert (decision.action, decision.reason, decision.changed) == ("skip", "nothing changed", ())


@pytest.mark.parametrize(
    "now, changed, action, reason",
    [
        (fingerprint(b"other"), ("bytes",), "ingest", "changed: content"),
        (fingerprint(metadata={"owner": "bob"}), ("meta",), "metadata_only", "changed: metadata"),
        (fingerprint(metadata={}), ("meta",), "metadata_only", "changed: metadata"),
        (fingerprint(reader="markdown 2"), ("reader",), "ingest", "changed: reader"),
        (fingerprint(chunker=ChunkerSettings(overlap_size=10)), ("chunk",), "ingest", "changed: chunker settings"),
        (fingerprint(transformer=IdentityChunkTransformer()), ("transform",), "ingest", "changed: transformers"),
        (fingerprint(model_id="mini@9"), ("embed",), "ingest", "changed: embedding model"),
        (fingerprint(b"x", metadata={}), ("bytes", "meta"), "ingest", "changed: content, metadata"),
    ],
)
def test_the_verdict_says_which_part_changed(
    now: Fingerprint, changed: tuple[str, ...], action: str, reason: str
) -> None:
    decision = RefreshByFingerprint().decide(stored(fingerprint()), now, now=NOW)
    assert (decision.action, decision.changed, decision.reason) == (action, changed, reason)


def test_a_change_of_metadata_embeds_again_where_a_transformer_of_the_chain_reads_it() -> None:
    chain = ChainedChunkTransformer([AddTitlesChunkTransformer(), ReadsMetadata()])
    before = fingerprint(transformer=chain)
    after = fingerprint(transformer=chain, metadata={"owner": "bob"})
    decision = RefreshByFingerprint().decide(stored(before), after, now=NOW)
    assert (decision.action, decision.changed) == ("ingest", ("meta",))


def test_a_new_version_of_a_transformer_changes_the_fingerprint() -> None:
    class Second(ReadsMetadata):
        version = "2"

        @property
        def name(self) -> str:
            return "ReadsMetadata"

    chain = ChainedChunkTransformer([ReadsMetadata()])
    newer = ChainedChunkTransformer([Second()])
    assert fingerprint(transformer=newer).changed_parts(fingerprint(transformer=chain)) == ("transform",)


@pytest.mark.parametrize("text", ["", "nonsense", "bytes:", ";;", "sha256=1"])
def test_an_unreadable_stored_fingerprint_counts_as_changed(text: str) -> None:
    decision = RefreshByFingerprint().decide(StoredVersion(URI, text), fingerprint(), now=NOW)
    assert decision.action == "ingest"
    assert "content" in decision.reason


def test_a_part_that_only_another_version_of_ours_knows_counts_as_changed() -> None:
    older = Fingerprint.parse(f"{fingerprint()};colour:red")
    assert fingerprint().changed_parts(older) == ("colour",)


POLICIES: list[RefreshPolicy] = [
    NeverRefreshExisting(),
    AlwaysRefresh(),
    RefreshByFingerprint(),
    RefreshByAge(timedelta(days=1)),
    RefreshByUriPattern(["*"]),
]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: type(policy).__name__)
def test_every_policy_ingests_a_new_document(policy: RefreshPolicy) -> None:
    decision = policy.decide(None, fingerprint(), now=NOW)
    assert (decision.action, decision.reason) == ("ingest", "new document")


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: type(policy).__name__)
def test_policies_that_do_not_compare_content_decide_without_it(policy: RefreshPolicy) -> None:
    known, nothing = stored(fingerprint(), age=timedelta(days=9)), Fingerprint(())
    same = policy.decide(known, nothing, now=NOW) == policy.decide(known, fingerprint(), now=NOW)
    assert same != policy.compares_content


def test_never_and_always() -> None:
    changed = fingerprint(b"other")
    assert NeverRefreshExisting().decide(stored(fingerprint()), changed, now=NOW).action == "skip"
    assert AlwaysRefresh().decide(stored(fingerprint()), fingerprint(), now=NOW).action == "ingest"
    assert NeverRefreshExistingDocumentContentPolicy is NeverRefreshExisting


@pytest.mark.parametrize("hours, action", [(0, "skip"), (24, "skip"), (25, "ingest")])
def test_by_age_the_limit_itself_is_not_old(hours: int, action: str) -> None:
    known = stored(fingerprint(), age=timedelta(hours=hours))
    assert RefreshByAge(timedelta(days=1)).decide(known, fingerprint(), now=NOW).action == action


def test_by_age_an_unknown_age_is_old() -> None:
    decision = RefreshByAge(timedelta(days=1)).decide(StoredVersion(URI), fingerprint(), now=NOW)
    assert (decision.action, decision.reason) == ("ingest", "age of the stored version is not known")


def test_by_age_times_need_a_zone_and_ages_are_not_negative() -> None:
    with pytest.raises(InvalidRequestError, match="`now` is 2026-03-01T12:00:00, without a time zone"):
        RefreshByAge(timedelta(1)).decide(stored(fingerprint()), fingerprint(), now=NOW.replace(tzinfo=None))
    with pytest.raises(InvalidRequestError, match="`max_age` is -1 day.*must not be negative"):
        RefreshByAge(timedelta(-1))


@pytest.mark.parametrize(
    "pattern, matches",
    [
        ("https://docs.example.com/*", True),
        ("*.md", True),
        ("*/GUIDE/*", False),
        ("https://docs.example.com/?", False),
        ("docs", False),
        ("*guide/[ab].md", True),
    ],
)
def test_by_uri_pattern_globs_match_the_whole_uri_with_its_case(pattern: str, matches: bool) -> None:
    decision = RefreshByUriPattern([pattern]).decide(stored(fingerprint()), fingerprint(), now=NOW)
    assert decision.action == ("ingest" if matches else "skip")


def test_by_uri_pattern_both_sides_have_a_policy_of_their_own() -> None:
    policy = RefreshByUriPattern(["*.md"], matching=RefreshByFingerprint(), other=AlwaysRefresh())
    assert policy.decide(stored(fingerprint()), fingerprint(), now=NOW).action == "skip"
    assert policy.decide(stored(fingerprint(), uri="x.txt"), fingerprint(), now=NOW).action == "ingest"


@pytest.mark.parametrize("patterns", [[], [""], "*.md"])
def test_by_uri_pattern_needs_patterns(patterns: list[str]) -> None:
    with pytest.raises(InvalidRequestError, match="`patterns` must be a list of one or more globs"):
        RefreshByUriPattern(patterns)


def test_a_hostile_glob_ends() -> None:
    policy = RefreshByUriPattern(["*a" * 60 + "b"])
    assert policy.decide(stored(fingerprint(), uri="a" * 5_000), fingerprint(), now=NOW).action == "skip"
