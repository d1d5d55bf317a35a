"""One source for both faces: what differs between asynchronous and plain code, under the same names.

Code that does I/O against a server is written once, in a folder `_async`, and its twin in `_sync` is
generated (`tools/generate_sync.py`). Where the two must do different things they import a name from
`graphrag.concurrency._async`, which the generated code takes from `graphrag.concurrency._sync`. This pair
alone is written by hand:

    run_blocking    call what blocks (files, models): in a thread | directly
    map_ahead       apply a blocking function to a stream with bounded read-ahead, results in order: both in threads
    gather          several calls: concurrently | one after the other, or in threads
    time_limit      a deadline: enforced | told, since a plain call cannot be interrupted
    event_loop      the running loop | None
    sleep  Lock     of `asyncio` | of the standard library
    Call            the type of a call without arguments, as `gather` takes it
"""

from graphrag.concurrency.deadline import Deadline

__all__ = ["Deadline"]
