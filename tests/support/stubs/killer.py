"""A pytest plugin (``-p killer``) that kills its process at a moment that the environment names.

``KILL_IN`` is ``controller`` or the name of a worker. ``KILL_AT`` is a number of function calls and returns, from the
start (``KILL_FROM=start``) or from when reports begin to be written (``write``), or a number of items (``items``). With
``KILL_AT=count`` nothing is killed, and the number of all is written to the file ``KILL_COUNTS``. ``KILL_SIGNAL`` is
the signal, SIGKILL where it is not given.
"""

import json
import os
import signal
import sys
from pathlib import Path

from harness.reports import writing

AT = os.environ["KILL_AT"]
HERE = os.environ["KILL_IN"] == os.environ.get("PYTEST_XDIST_WORKER", "controller")
SIGNAL = int(os.environ.get("KILL_SIGNAL", signal.SIGKILL))
seen = 0


def _profile(*_):
    global seen  # noqa: PLW0603 - the number of this process
    seen += 1
    if AT != "count" and seen == int(AT):
        sys.setprofile(None)
        os.kill(os.getpid(), SIGNAL)


def pytest_runtest_logstart():
    if HERE and os.environ["KILL_FROM"] == "items":
        _profile()


def pytest_configure():
    if HERE and os.environ["KILL_FROM"] == "start":
        sys.setprofile(_profile)


def pytest_unconfigure():
    sys.setprofile(None)
    if HERE and AT == "count":
        Path(os.environ["KILL_COUNTS"]).write_text(json.dumps(seen), encoding="utf-8")


def _write(*arguments, write=writing.write):
    if HERE and os.environ["KILL_FROM"] == "write":
        sys.setprofile(_profile)
    return write(*arguments)


writing.write = _write
