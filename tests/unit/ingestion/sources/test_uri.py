"""One spelling for every address."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from graphrag.errors import InvalidRequestError
from graphrag.ingestion.sources import canonical_uri, file_uri


def test_spellings_of_one_path_are_one_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CASES 34: relative, absolute, with dots, percent-encoded, through a link."""
    file = tmp_path / "a b" / "Report.md"
    file.parent.mkdir()
    file.write_text("x")
    (tmp_path / "link").symlink_to(file.parent)
    monkeypatch.chdir(file.parent)
    expected = f"file://{tmp_path}/a%20b/Report.md"
    spellings = [
        "Report.md",
        "./Report.md",
        "../a b/Report.md",
        str(file),
        f"{tmp_path}//a b/./Report.md",
        str(tmp_path / "link" / "Report.md"),
        f"file://{tmp_path}/a%20b/Report.md",
        f"FILE://localhost{tmp_path}/%61%20b/%52eport.md",
    ]
    assert {canonical_uri(spelling) for spelling in spellings} == {expected}


def test_paths_that_differ_are_two_uris() -> None:
    """CASES 34: folders, case and extensions tell documents apart."""
    paths = [
        "a/r.md",
        "b/r.md",
        "foo/bar_baz.md",
        "foo_bar/baz.md",
        "my-mod/x.md",
        "my_mod/x.md",
        "x.md",
        "x.txt",
        "X.md",
    ]
    assert len({canonical_uri(path) for path in paths}) == len(paths)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("HTTPS://Example.COM:443/A/b?Q=%2f#F", "https://example.com/A/b?Q=%2F#F"),
        ("http://example.com", "http://example.com/"),
        ("http://example.com:8080/%7Euser/%c3%a9", "http://example.com:8080/~user/%C3%A9"),
        ("http://example.com/é x", "http://example.com/%C3%A9%20x"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("urn:isbn:123", "urn:isbn:123"),
        ("mailto:A@b", "mailto:A@b"),
    ],
)
def test_scheme_host_port_and_percent_encoding(text: str, expected: str) -> None:
    assert canonical_uri(text) == expected


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "is empty or holds NUL"),
        ("  ", "is empty or holds NUL"),
        ("a\0b", "is empty or holds NUL"),
        ("http://h:99999/", "is not a URI"),
        ("http://[x/", "is not a URI"),
        ("http://h/\ud800", "is not a URI"),
        ("file://server/share", "names a file on another host"),
        ("file:relative", "must hold an absolute path"),
        ("file:///a%00b", "must hold an absolute path"),
    ],
)
def test_what_is_no_uri_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidRequestError, match=message):
        canonical_uri(text)


def test_windows_drive_is_a_path_here() -> None:
    """THREATS 54: `C:` is one letter, which no scheme is."""
    assert canonical_uri("C:x") == file_uri(Path("C:x"))


def test_undecodable_file_name_round_trips(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    uri = file_uri(tmp_path / name)
    assert uri.endswith("caf%E9.txt")
    assert canonical_uri(uri) == uri


@given(
    st.one_of(
        st.text(min_size=1), st.from_regex(r"(https?|file|urn):(//)?[a-zA-Z0-9%/:.@?#\[\] ]{0,20}", fullmatch=True)
    )
)
def test_canonical_form_is_stable_and_plain(text: str) -> None:
    """Whatever it is given, the result is ASCII and its own canonical form, or the text is refused."""
    try:
        once = canonical_uri(text)
    except InvalidRequestError:
        return
    assert once.isascii()
    assert canonical_uri(once) == once
