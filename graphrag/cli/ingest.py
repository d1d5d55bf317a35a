"""`graphrag ingest`: files, folders, patterns and pages of the web into the store."""

import contextlib
import sys
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag.cli._ingestion import print_summary, report_as_mapping, run_ingestion
from graphrag.cli._metadata import parse_meta, read_meta_file
from graphrag.cli._options import FilePath, Text, collection_option, json_option
from graphrag.cli._output import print_json
from graphrag.cli._session import Session, pass_session

if TYPE_CHECKING:
    # Loading the pipeline takes longer than printing help or a usage error.
    from graphrag.cli._progress import IngestionBar
    from graphrag.ingestion import DocumentVerdict, IngestionReport, Ingestor
    from graphrag.ingestion.refresh import RefreshPolicy

__all__ = ["ingest"]

_POLICIES = ("changed", "always", "never")
_AGE = "age:"
_STDIN = "-"


def _parse_refresh(_context: click.Context, _option: click.Parameter, value: str) -> "str | timedelta":
    """Return the policy's word, or the age in `age:DAYS`."""
    word = value.lower()
    if word in _POLICIES:
        return word
    if word.startswith(_AGE):
        with contextlib.suppress(ValueError, OverflowError):
            return timedelta(days=float(word.removeprefix(_AGE)))
    msg = f"{value!r} is none of {', '.join(_POLICIES)} and age:DAYS (such as age:30)"
    raise click.BadParameter(msg)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@collection_option
@click.option(
    "--meta",
    type=Text(),
    multiple=True,
    metavar="KEY=VALUE",
    help="Metadata of each document; may be repeated. KEY= stores an empty text.",
)
@click.option(
    "--meta-file",
    type=FilePath(exists=True, dir_okay=False, path_type=Path),
    help="Metadata from a JSON or TOML file; --meta stands over it.",
)
@click.option(
    "--refresh",
    callback=_parse_refresh,
    default="changed",
    show_default=True,
    metavar="POLICY",
    help="When a known document is read again: changed, always, never, or age:DAYS.",
)
@click.option(
    "--password-file",
    type=FilePath(exists=True, dir_okay=False, path_type=Path),
    help="Passwords to try on encrypted files, one a line.",
)
@click.option("--no-recursive", is_flag=True, help="Take a folder's own files only.")
@click.option("--sitemap", is_flag=True, help="URLs among the PATHs are sitemaps: take the pages that they name.")
@click.option("--feed", is_flag=True, help="URLs among the PATHs are RSS or Atom feeds: take the pages that they name.")
@click.option(
    "--sync",
    is_flag=True,
    help="Delete the documents, in this collection, whose files are gone from the folders that are named.",
)
@click.option("--plan", "dry_run", is_flag=True, help="Only tell what would be done, without reading or writing it.")
@click.option("--max-chunk-size", type=click.IntRange(1, 8_000), metavar="N", help="Longest chunk, in characters.")
@click.option("--overlap-size", type=click.IntRange(min=0), metavar="N", help="Characters that chunks share.")
@click.option("--allow-truncation", is_flag=True, help="Let chunks exceed the embedding model's token limit.")
@click.option("--uri", type=Text(), help="Address of the document, where PATH is `-`.")
@json_option
@pass_session
@click.pass_context
def ingest(  # noqa: PLR0913 - one argument an option
    context: click.Context,
    session: Session,
    *,
    paths: tuple[str, ...],
    collection: str | None,
    meta: tuple[str, ...],
    meta_file: Path | None,
    refresh: "str | timedelta",
    password_file: Path | None,
    no_recursive: bool,
    sitemap: bool,
    feed: bool,
    sync: bool,
    dry_run: bool,
    max_chunk_size: int | None,
    overlap_size: int | None,
    allow_truncation: bool,
    uri: str | None,
    as_json: bool,
) -> None:
    """Bring files, folders, patterns and URLs into the store; a second run takes only what changed.

    PATH `-` reads one document from standard input; --uri tells its address. A PATH that begins with `https://` or
    `http://` is a page of the web: hosts of private networks are not asked, unless the setting `web.allowed_hosts`
    names them, and robots.txt is kept.

    A VALUE that is a JSON scalar or list is taken as such, all else is text. Each file gets one verdict. The exit
    code is 0 where all is well, 3 where some files are failed, partial, unsupported or need a password, and 1 where
    all of them are.

    With `--plan` the verdicts tell what would be done, as far as a file's bytes tell it: one that is new may still
    prove empty or unsupported. `--sync` deletes after all else is written, and never for a folder without any file,
    as one is that is not mounted.
    """
    if (_STDIN in paths) != (uri is not None) or (_STDIN in paths and len(paths) > 1):
        msg = "PATH `-` (standard input) stands alone, and --uri goes with it and with nothing else"
        raise click.UsageError(msg)
    if uri is not None and (sync or dry_run):
        msg = "--sync and --plan go with files and folders, not with standard input"
        raise click.UsageError(msg)
    if sitemap and feed:
        msg = "--sitemap and --feed exclude each other; run the command twice"
        raise click.UsageError(msg)
    if uri is not None and (sitemap or feed):
        msg = "--sitemap and --feed go with URLs, not with standard input"
        raise click.UsageError(msg)
    if not all(paths):
        msg = "'' is no path; give a file, a folder or a pattern"
        raise click.UsageError(msg)
    metadata = (read_meta_file(meta_file) if meta_file else {}) | parse_meta(meta)
    passwords = _read_passwords(password_file) if password_file else ()
    settings = session.settings(
        {
            "chunker.max_chunk_size": max_chunk_size,
            "chunker.overlap_size": overlap_size,
            "chunker.allow_truncation": allow_truncation or None,
        }
    )
    into = collection or settings.collection
    policy = _policy(refresh)

    def work(ingestor: "Ingestor", bar: "IngestionBar") -> "IngestionReport":
        if uri is not None:
            bar.found(1)
            # One byte more than is read of a file tells the library that it is too long.
            data = sys.stdin.buffer.read(settings.ingestion.max_file_bytes + 1)
            verdict = ingestor.ingest_bytes(
                data, uri, collection=into, metadata=metadata, policy=policy, passwords=passwords
            )
            bar.finished(verdict)
            return _report_of(verdict)
        return ingestor.ingest(
            paths,
            collection=into,
            metadata=metadata,
            policy=policy,
            passwords=passwords,
            recursive=not no_recursive,
            urls="sitemap" if sitemap else "feed" if feed else "page",
            sync=sync,
            dry_run=dry_run,
            progress=bar,
        )

    report = run_ingestion(session, settings, work, quiet=as_json)
    if as_json:
        print_json({**report_as_mapping(report, collection=into), "planned": dry_run})
    else:
        print_summary(report, collection=into, planned=dry_run)
    context.exit(report.exit_code)


def _policy(refresh: "str | timedelta") -> "RefreshPolicy":
    from graphrag.ingestion.refresh import AlwaysRefresh, NeverRefreshExisting, RefreshByAge, RefreshByFingerprint

    if isinstance(refresh, timedelta):
        return RefreshByAge(refresh)
    if refresh == "always":
        return AlwaysRefresh()
    return NeverRefreshExisting() if refresh == "never" else RefreshByFingerprint()


def _report_of(verdict: "DocumentVerdict") -> "IngestionReport":
    from graphrag.ingestion import IngestionReport

    return IngestionReport((verdict,))


def _read_passwords(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        msg = f"{str(path)!r} cannot be read as UTF-8 text, one password a line"
        raise click.BadParameter(msg, param_hint="--password-file") from error
    return tuple(line for line in lines if line)
