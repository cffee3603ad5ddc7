"""Work spread over processes until its time is up, for tools whose whole work takes longer than one call may."""

import concurrent.futures
import math
import multiprocessing
import time


class Deadline:
    """The moment after which no further piece of work begins; it never comes where no minutes are given."""

    def __init__(self, minutes=None):
        """Count from now."""
        self._end = math.inf if minutes is None else time.monotonic() + 60 * minutes

    @property
    def left(self):
        """Seconds left; at most 0 when the time is up."""
        return self._end - time.monotonic()


def in_processes(work, pieces, jobs, deadline):
    """Yield ``(piece, result)`` as each is done; the pieces that have not begun at the deadline are left out.

    Args:
        work: A function of one piece; it returns None where it was too late.
        pieces: What is passed to the function.
        jobs: How many processes work at a time.
        deadline: When no further piece begins.
    """
    forked = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(
        jobs, mp_context=forked, initializer=_work_is, initargs=(work, deadline)
    ) as pool:
        begun = {pool.submit(_result, piece): piece for piece in pieces}
        for done in concurrent.futures.as_completed(begun):
            if done.result() is not None:
                yield begun[done], done.result()


#: In a process of the pool: the work, and when no further piece begins. A fork hands it over as it is.
_TASK = []


def _work_is(work, deadline):
    _TASK[:] = [work, deadline]


def _result(piece):
    work, deadline = _TASK
    return work(piece) if deadline.left > 0 else None
