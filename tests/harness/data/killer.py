"""A pytest plugin (``-p killer``) that kills its process at a moment that the environment names, counted in calls.

``KILL_IN`` is ``controller`` or the name of a worker, ``KILL_FROM`` is ``start`` or ``write`` (when reports begin to be
written), ``KILL_AT`` the number of function calls and returns from there on (``KILL_FROM=items``: of items), or ``count``: then none is killed, and
their numbers are appended to the file ``KILL_COUNTS``. ``KILL_SIGNAL`` is the signal, SIGKILL where it is not given.
"""

import json
import os
import signal
import sys

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


def pytest_runtest_call():
    if HERE and os.environ["KILL_FROM"] == "items":
        _profile()


def pytest_configure():
    if HERE and os.environ["KILL_FROM"] == "start":
        sys.setprofile(_profile)


def pytest_unconfigure():
    sys.setprofile(None)
    if HERE and AT == "count":
        with open(os.environ["KILL_COUNTS"], "a", encoding="utf-8") as file:
            file.write(json.dumps(seen) + "\n")


def _write(targets, document, write=writing.write):
    if HERE and os.environ["KILL_FROM"] == "write":
        sys.setprofile(_profile)
    return write(targets, document)


writing.write = _write
