"""Spread work over processes until a deadline, for tools whose whole work takes longer than one run may."""

import concurrent.futures
import math
import multiprocessing
import time


class Deadline:
    """The time after which no further piece of work begins."""

    def __init__(self, minutes=None):
        """Set the deadline some minutes from now; None for no deadline."""
        self._end = math.inf if minutes is None else time.monotonic() + 60 * minutes

    @property
    def left(self):
        """Return the seconds left; 0 or less after the deadline."""
        return self._end - time.monotonic()


def in_processes(work, pieces, jobs, deadline):
    """Yield ``(piece, result)`` as each is done; pieces that have not begun at the deadline are left out.

    Args:
        work: A function of one piece; it returns None if the deadline came before its result.
        pieces: The arguments for the function.
        jobs: The number of processes.
        deadline: The :class:`Deadline`.
    """
    forked = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(
        jobs, mp_context=forked, initializer=_work_is, initargs=(work, deadline)
    ) as pool:
        begun = {pool.submit(_result, piece): piece for piece in pieces}
        for done in concurrent.futures.as_completed(begun):
            if done.result() is not None:
                yield begun[done], done.result()


#: In a process of the pool: the function and the deadline. A fork inherits them, so the function need not be pickled.
_TASK = []


def _work_is(work, deadline):
    _TASK[:] = [work, deadline]


def _result(piece):
    work, deadline = _TASK
    return work(piece) if deadline.left > 0 else None
