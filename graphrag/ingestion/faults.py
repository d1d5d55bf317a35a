"""Where parts of another make are called (readers, transformers, models): whatever they raise becomes an error of ours.

One of them that fails in a way nobody foresaw must cost one document, not the batch and its verdicts.
"""

import logging
from collections.abc import Generator
from contextlib import contextmanager

from graphrag.errors import GraphRagError, IngestionError, Stage, StoreUnavailableError, UnreadableDocumentError

__all__ = ["LostStore", "as_ours", "ours_only"]

_log = logging.getLogger("graphrag.ingestion")


def as_ours(error: Exception, uri: str, *, stage: Stage, what: str) -> GraphRagError:
    """Return an error of ours as it is; for any other, log its trace and return one that it caused.

    Args:
        error: What was raised.
        uri: The document's.
        stage: Where it was.
        what: Who raised it, for the message: "the reader".
    """
    if isinstance(error, GraphRagError):
        return error
    _log.error("%s failed on `%s`", what, uri, exc_info=error)
    # The message of a foreign error may hold text of the document, or a secret: it stands in the log alone.
    msg = f"{what} failed: {type(error).__name__}, on `{uri}`; the log `{_log.name}` has the trace"
    ours = UnreadableDocumentError(msg, uri=uri) if stage == "read" else IngestionError(msg, uri=uri, stage=stage)
    ours.__cause__ = error
    return ours


@contextmanager
def ours_only(uri: str, *, stage: Stage, what: str) -> Generator[None]:
    """Let no other errors out of the body than ours (see `as_ours`); an interrupt or a cancellation passes.

    Raises:
        GraphRagError: The body raised it, or it stands for what the body raised.
    """
    try:
        yield
    except GraphRagError:
        raise
    except Exception as error:
        raise as_ours(error, uri, stage=stage, what=what) from error


class LostStore:
    """Remembers that a store cannot be reached any more, so that not each document waits until that is found out."""

    def __init__(self) -> None:
        self._error: StoreUnavailableError | None = None

    def note(self, error: object) -> None:
        """Take notice of what a call to the store ended with."""
        if isinstance(error, StoreUnavailableError):
            self._error = error

    def check(self) -> None:
        """Do nothing as long as the store answers.

        Raises:
            StoreUnavailableError: It did not answer before.
        """
        if self._error is not None:
            raise self._error

    @contextmanager
    def watch(self) -> Generator[None]:
        """Make a call to the store in the body, unless it is lost; notice if it is.

        Raises:
            GraphRagError: What the body raises, or that the store is lost.
        """
        self.check()
        try:
            yield
        except StoreUnavailableError as error:
            self.note(error)
            raise
