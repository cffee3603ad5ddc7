"""Processes that tests start, forked from one that has everything loaded: a new interpreter is not what is tested.

Theory. A child that judges, or a pytest within pytest, spends most of its time on imports. So each process that tests
run in has a *template*: a process that has imported what both need, runs nothing of them, and forks itself on request.
The fork takes over the file descriptors, environment, folder and ``sys.path`` that a new interpreter would have had.
It is a grandchild of the template, and the process that asked, which adopts orphans for that moment, becomes its
parent: it waits for the fork, ends it and is noticed when it dies as if it had started it. A pytest that was forked
has a template of its own, forked before pytest begins, for the children that it starts.

Tests with the marker ``real_processes`` start new interpreters, as users do; so do all with TRT_TESTS_FORK=0.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import json
import os
import pkgutil
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path

HOME = Path(__file__).parents[2]
#: Where descriptors lie while those that the fork is to have are put in place.
_ASIDE = 600
#: Where a function that was called writes down what it returns.
ANSWER = 500
_PR_SET_CHILD_SUBREAPER = 36
_LARGEST = 1 << 20
#: What children and runs of pytest import, sooner or later. Not xdist, which notes ``sys.path`` when it is imported.
_LOADED = (
    "harness.child.main",
    "harness.child.judge",
    "harness.child.import_names",
    "harness.controller.run",
    "harness.reports.writing",
    "reference_runtime.bridges.cupy",
    "pytest_trt_conformance",
    "hypothesis.strategies",
    "_hypothesis_pytestplugin",
    "pytest_benchmark.plugin",
    "pytest_cov.plugin",
    "xml.etree.ElementTree",
    "unittest.mock",
)
_PACKAGES = ("_pytest", "conformance.rules", "harness.frontends.pytest_plugin", "harness.checks")


class Forked(subprocess.Popen):
    """A process that a template forked for this one."""

    def __init__(self, pid, args):  # it runs already: nothing is to be started
        self.pid, self.args, self.returncode = pid, args, None
        self.stdin = self.stdout = self.stderr = None
        self._waitpid_lock = threading.Lock()
        self._child_created, self._communication_started, self._sigint_wait_secs = True, False, 0.25


class Template:
    """A process that has everything loaded, and forks itself on request."""

    def __init__(self, channel, process=None):
        self._channel, self._process, self._lock = channel, process, threading.Lock()

    @classmethod
    def started(cls):
        """Start a template: a new interpreter, as children are started."""
        from harness.controller.children import child_process  # noqa: PLC0415 - a template has no use for it

        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        environment = child_process.environment(os.environ)
        del environment["PYTHONWARNINGS"]
        environment.pop("PYTHONPATH", None)
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - our own interpreter on this file
                [sys.executable, __file__, str(theirs.fileno())],
                env=environment,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        return cls(ours, process)

    @classmethod
    def forked(cls):
        """Fork a template off this process, which has everything loaded."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if not os.fork():
            ours.close()
            with Path(os.devnull).open("r+b", buffering=0) as nothing:
                for descriptor in range(3):
                    os.dup2(nothing.fileno(), descriptor)
            live(theirs)
        theirs.close()
        return cls(ours)

    def fork(self, what, arguments, *, environment, descriptors):
        """Return a process that does ``what`` with its arguments; ``descriptors`` are ``{its own: ours}``."""
        request = {"what": what, "arguments": arguments, "environment": dict(environment), "folder": str(Path.cwd())}
        text = json.dumps({**request, "descriptors": list(descriptors)})
        go_on, writing = os.pipe()
        with self._lock, os.fdopen(go_on, "rb", 0), os.fdopen(writing, "wb", 0) as adopted:
            with _adopting():
                socket.send_fds(self._channel, [text.encode()], [go_on, *descriptors.values()])
                pid = self._channel.recv(64)
            adopted.write(b"\0")  # what the fork itself leaves behind is not to become a child of this process
        if not pid:
            raise RuntimeError("the template of the processes that tests start has ended")
        return Forked(int(pid), arguments)

    def lasting(self):
        """Return the file descriptors and processes of this process that it is made of."""
        return {self._channel.fileno()}, set() if self._process is None else {self._process.pid}

    def close(self):
        """End the template."""
        self._channel.close()
        if self._process is not None:
            self._process.wait()


class Processes:
    """How this process starts others; the test that runs sets ``use``, unless the whole run is not ``wanted`` so."""

    def __init__(self, template=None):
        self.use = self.wanted = os.environ.get("TRT_TESTS_FORK") != "0"
        self._template = template
        self._lock = threading.Lock()

    @property
    def template(self):
        """The template; it is started when it is first asked for."""
        with self._lock:
            if self._template is None:
                self._template = Template.started()
        return self._template

    def lend_to_harness(self):
        """Have the children that judge come from the template."""
        from harness.controller.children import child_process  # noqa: PLC0415 - the template loads it after this file

        anew = child_process._started

        def started(handed, ours):
            environment = child_process.environment(ours)
            if not self.use or environment["PYTHONWARNINGS"] != "default":
                return anew(handed, ours)
            passed = {descriptor: descriptor for descriptor in handed.values()}
            arguments = [child_process.BOOT, str(HOME), json.dumps({**handed, "parent": os.getpid()})]
            with Path(os.devnull).open("rb") as nothing:
                descriptors = {**passed, 0: nothing.fileno(), 1: handed["stdout"], 2: handed["stderr"]}
                return self.template.fork("judge", arguments, environment=environment, descriptors=descriptors)

        child_process._started = started

    def pytest(self, arguments, *, stdout, stderr, environment):
        """Start a pytest in the current folder; ``stdout`` and ``stderr`` are files."""
        with Path(os.devnull).open("rb") as nothing:
            descriptors = {0: nothing.fileno(), 1: stdout.fileno(), 2: stderr.fileno()}
            return self.template.fork("pytest", arguments, environment=environment, descriptors=descriptors)

    def call(self, function, *arguments, timeout=3600.0):
        """Return what a function of ours returns in a process of its own: plain data, or None if it does not return."""
        with Path(os.devnull).open("r+b", buffering=0) as nothing, tempfile.TemporaryFile() as answer:
            descriptors = {0: nothing.fileno(), 1: nothing.fileno(), 2: nothing.fileno(), ANSWER: answer.fileno()}
            named = [function.__module__, function.__name__, *arguments]
            with self.template.fork("call", named, environment=os.environ, descriptors=descriptors) as process:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout)
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            answer.seek(0)
            return json.loads(answer.read() or b"null")

    def lasting(self):
        """Return the file descriptors and processes of this process that stay while there is a template."""
        return (set(), set()) if self._template is None else self._template.lasting()

    def close(self):
        """End the template, if there is one."""
        if self._template is not None:
            self._template.close()
            self._template = None


#: Those of this process.
PROCESSES = Processes()


def is_plain_pytest(command):
    """Whether a command starts pytest, with no option for Python."""
    return command[:1] == [sys.executable] and (command[1:3] == ["-m", "pytest"] or command[1:2] == ["-mpytest"])


def arguments_of(command):
    """Return the arguments for pytest of such a command."""
    return command[2:] if command[1] == "-mpytest" else command[3:]


@contextlib.contextmanager
def _adopting():
    """Become the parent of grandchildren whose parent ends meanwhile."""
    from harness.process import linux  # noqa: PLC0415 - as above

    linux.adopt_orphans()
    try:
        yield
    finally:
        linux.c_library().prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


# --- in the template

#: Modules of ours that a function which is called may need; a project may have another package ``tests``.
OURS = {}


def live(channel):
    """Fork for every request; in the fork, do what is asked, and end."""
    request, descriptors = _next_fork(channel)
    _take_over(request, descriptors)
    DO[request["what"]](request["arguments"])


def _next_fork(channel):
    """Return, in a fork that the process which asked is the parent of, what to do."""
    while True:
        text, descriptors, *_ = socket.recv_fds(channel, _LARGEST, 32)
        if not text:
            os._exit(0)
        between = os.fork()
        if not between:
            ended = os.pidfd_open(os.getpid())
            if os.fork():
                os._exit(0)
            select.select([ended], [], [])  # who ends says so when its children have their new parent
            os.close(ended)
            go_on, *handed = descriptors
            channel.send(str(os.getpid()).encode())
            channel.close()
            os.read(go_on, 1)
            os.close(go_on)
            return json.loads(text), handed
        for descriptor in descriptors:
            os.close(descriptor)
        os.waitpid(between, 0)


def _take_over(request, descriptors):
    """Take the place of a new interpreter."""
    os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    aside = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _ASIDE) for descriptor in descriptors]
    os.closerange(3, _ASIDE)
    for descriptor, target in zip(aside, request["descriptors"], strict=True):
        os.dup2(descriptor, target)
        os.close(descriptor)
    sys.path[:0] = [folder for folder in os.environ.get("PYTHONPATH", "").split(os.pathsep) if folder]
    importlib.invalidate_caches()
    random.seed()


def _judge(arguments):
    """Be a child of the harness."""
    sys.warnoptions.append("default")
    warnings.simplefilter("default")
    boot, *given = arguments
    sys.argv = ["-c", *given]
    sys.path.insert(0, "")
    exec(boot, {"__name__": "__main__"})  # noqa: S102 - what a new interpreter would run


def _pytest(arguments):
    """Be a pytest."""
    from _pytest.assertion.rewrite import AssertionRewritingHook  # noqa: PLC0415 - the template has loaded it

    Processes(Template.forked()).lend_to_harness()
    AssertionRewritingHook._warn_already_imported = lambda *_: None
    sys.argv = ["pytest", *arguments]
    sys.path.insert(0, str(Path.cwd()))
    runpy.run_module("pytest", run_name="__main__", alter_sys=True)


def _call(arguments):
    """Call a function of ours, and write down what it returns."""
    module, name, *given = arguments
    sys.path.insert(0, str(HOME))
    sys.modules.update(OURS)
    returned = getattr(importlib.import_module(module), name)(*given)
    with open(ANSWER, "wb") as answer:
        answer.write(json.dumps(returned).encode())
    os._exit(0)


DO = {"judge": _judge, "pytest": _pytest, "call": _call}


def _load():
    for name in _LOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for name in _PACKAGES:
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            if not module.name.endswith("__main__"):
                with contextlib.suppress(ImportError):
                    importlib.import_module(module.name)
    importlib.import_module("harness.process.gpus").usable()
    importlib.import_module("tests.support.verdicts").installed()
    OURS.update({name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] == "tests"})


def main():
    channel = socket.socket(fileno=int(sys.argv[1]))
    sys.path[0] = str(HOME)
    _load()
    del sys.path[0]
    gc.collect()
    gc.freeze()
    live(channel)


if __name__ == "__main__":
    main()
