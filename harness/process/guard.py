"""Fork a guard: a process that waits for a child's end, and kills the processes that the child leaves running.

Theory. When pytest's process ends, the child notices, and kills the processes that the plugin started. A killed child
cannot do that. A child that still imports the module cannot either, because it dies with pytest's process. So the
first step of a child is to fork a guard. The guard is adopted by another process, has its own session, and holds no
file of the child. It recognizes the processes to kill by a variable in the environment that they were started with.
"""

from __future__ import annotations

import os
import select
from typing import Final

from harness.process import linux

#: This variable marks all processes that a child starts, also after the end of their parent.
MARK: Final = "_TRT_CONFORMANCE_CHILD"


def post() -> None:
    """Fork the guard of this process, if its environment has a mark."""
    mark = os.environ.get(MARK)
    if mark is None:
        return
    watched = os.pidfd_open(os.getpid())
    between = os.fork()
    if not between:
        try:
            if not os.fork():
                _wait_and_kill(watched, mark)
        finally:
            os._exit(0)
    os.close(watched)
    linux.reap(between)


def end_marked(mark: str) -> None:
    """Kill all other processes with the mark of a child."""
    linux.end_those_with(f"{MARK}={mark}")


def _wait_and_kill(watched: int, mark: str) -> None:
    os.setsid()
    os.closerange(0, watched)
    os.closerange(watched + 1, os.sysconf("SC_OPEN_MAX"))
    select.select([watched], [], [])
    end_marked(mark)
