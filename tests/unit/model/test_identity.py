"""Ids are deterministic, short, and free of a user's text."""

import re
import unicodedata

import pytest
from hypothesis import given, settings, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.model.identity import (
    check_collection,
    check_id,
    chunk_id,
    document_id,
    entity_id,
    normalise_name,
    section_id,
)

any_text = st.text(st.characters(exclude_categories=()))
ID = re.compile(r"[a-z2-7]{32}")


@given(any_text, any_text)
@settings(print_blob=True)
def test_ids_are_32_plain_characters_and_repeatable_for_any_text(first: str, second: str) -> None:
    for value in (document_id(first, second), section_id(first, (second,), 0), chunk_id(first, second, 3)):
        assert ID.fullmatch(value)
    assert document_id(first, second) == document_id(first, second)


def test_ids_stay_what_they_are() -> None:
    """A changed hash would orphan every stored document: these values are frozen."""
    document = document_id("default", "file:///a.md")
    assert document == "f4azgrohumfb54un57g3zc3mcwilkzzd"
    assert section_id(document, ("A", "B"), 0) == "ppf2s45zkxm7flkwmgzpypmqal4be7ow"
    assert chunk_id(document, "text", 1) == "3ugdjj2quhadxjjg6vmtzcaz5mifl63v"
    assert entity_id("Person", "Ada Lovelace") == "hbdzdwglwbuxdvj7ksj7eh54dkmqdt6c"


@given(st.lists(any_text, min_size=1, max_size=4), st.lists(any_text, min_size=1, max_size=4))
@settings(print_blob=True)
def test_different_heading_paths_have_different_ids_even_where_joined_they_are_equal(
    first: list[str], second: list[str]
) -> None:
    assert (section_id("d", first, 0) == section_id("d", second, 0)) == (first == second)


def test_fields_are_kept_apart_by_their_lengths() -> None:
    assert document_id("ab", "c") != document_id("a", "bc")
    assert section_id("d", ("a", "b"), 0) != section_id("d", ("ab",), 0)
    assert section_id("d", (), 1) != section_id("d", ("1",), 0)


def test_kinds_are_kept_apart() -> None:
    assert len({document_id("a", "b"), entity_id("a", "b"), chunk_id("a", "b", 0), section_id("a", ("b",), 0)}) == 4


def test_equal_text_in_two_documents_gives_two_chunks() -> None:
    """CASES 31."""
    text = "Confidential. Page 1"
    assert chunk_id(document_id("default", "a"), text, 0) != chunk_id(document_id("default", "b"), text, 0)


def test_occurrences_differ() -> None:
    assert chunk_id("d", "same", 0) != chunk_id("d", "same", 1)
    assert section_id("d", ("same",), 0) != section_id("d", ("same",), 1)


@pytest.mark.parametrize(
    "name",
    [
        "ADA  lovelace",
        " Ada\tLovelace ",
        "Ada\N{NO-BREAK SPACE}Lovelace",
        "\N{FULLWIDTH LATIN CAPITAL LETTER A}da Lovelace",
    ],
)
def test_spellings_of_one_name_have_one_entity_id(name: str) -> None:
    assert entity_id("Person", name) == entity_id("Person", "ada lovelace")


def test_composed_and_decomposed_names_are_one_entity() -> None:
    assert entity_id("Person", unicodedata.normalize("NFD", "Zoë")) == entity_id("Person", "Zoë")


def test_entities_of_two_labels_differ() -> None:
    assert entity_id("Person", "Jordan") != entity_id("Country", "Jordan")


@given(st.text())
@settings(print_blob=True)
def test_normalising_a_name_twice_changes_nothing(name: str) -> None:
    assert normalise_name(normalise_name(name)) == normalise_name(name)


def test_an_entity_needs_a_name() -> None:
    with pytest.raises(InvalidRequestError, match="`name` of an entity is empty"):
        entity_id("Person", " \t\n")


@pytest.mark.parametrize("name", ["default", "a", "x" * 64, "Verträge 2024", "日本語", "a/b:c"])
def test_collections_may_have_any_printable_name(name: str) -> None:
    assert check_collection(name) == name


@pytest.mark.parametrize("name", ["", "x" * 65, "a\0b", "a\nb", "\ud800", None, 7])
def test_other_collection_names_are_refused_with_the_bounds(name: object) -> None:
    with pytest.raises(InvalidRequestError, match=r"`collection` is .*1 to 64 printable characters"):
        check_collection(name)


def test_a_collection_name_has_no_blanks_at_its_ends() -> None:
    with pytest.raises(InvalidRequestError, match="without blanks at its ends"):
        check_collection(" default")


@pytest.mark.parametrize("value", ["", "x" * 513, "a\0", "\udfff", "a\rb", None])
def test_what_cannot_be_an_id_is_refused(value: object) -> None:
    with pytest.raises(InvalidRequestError, match="`id` is .*1 to 512 printable characters"):
        check_id(value)


def test_a_long_refused_value_is_shown_cut() -> None:
    with pytest.raises(InvalidRequestError) as caught:
        check_id("y" * 100_000)
    assert len(str(caught.value)) < 250


def test_ids_of_applications_pass() -> None:
    assert check_id("urn:isbn:0-395-36341-1") == "urn:isbn:0-395-36341-1"
