"""A process that waits for the end of a child, and kills what that leaves running.

Theory. A living child kills what the plugin started: when pytest's process is gone, it notices and tidies
up. A killed child cannot. Nor can a child whose module is just being imported, which dies with pytest's process. So
its first step is to fork a guard. The guard is no child of that process, has its own session, and holds no file of the
child. It knows the processes to kill by a word in the environment that they were started with.
"""

from __future__ import annotations

import os
import select
from typing import Final

from harness.process import linux

#: By this variable all processes are known that a child starts, whoever becomes their parent.
MARK: Final = "_TRT_CONFORMANCE_CHILD"


def post() -> None:
    """Fork the guard of this process; without a mark in its environment it gets none."""
    mark = os.environ.get(MARK)
    if mark is None:
        return
    watched = os.pidfd_open(os.getpid())
    between = os.fork()
    if not between:
        try:
            if not os.fork():
                _stand(watched, mark)
        finally:
            os._exit(0)
    os.close(watched)
    linux.reap(between)


def end_marked(mark: str) -> None:
    """Kill what a child has started that has this mark."""
    linux.end_those_with(f"{MARK}={mark}")


def _stand(watched: int, mark: str) -> None:
    os.setsid()
    os.closerange(0, watched)
    os.closerange(watched + 1, os.sysconf("SC_OPEN_MAX"))
    select.select([watched], [], [])
    end_marked(mark)
