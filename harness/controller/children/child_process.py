"""Start a child process, send it tasks, watch it and end it."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.contract import own_names
from harness.process import failures, guard, linux, module_files, owners
from harness.process.flight_recorder import FlightRecorder
from harness.process.handover import InterferenceError, insist_on_silence
from harness.process.output_capture import Taps
from harness.process.wait import ChildHandle, watch
from harness.protocol import messages
from harness.protocol.messages import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.protocol.messages import ChildSettings

#: Not ``-m``, which would find a folder ``harness`` in the working directory before the package of that name.
#: The garbage collector is off while the child imports: imported objects live as long as the child.
BOOT = (
    "import gc, sys; gc.disable(); sys.path.insert(0, sys.argv.pop(1)); from harness.child import main as child; "
    "child.main()"
)
_SET = {
    "PYTHONHASHSEED": "0",
    "PYTHONIOENCODING": "utf-8:backslashreplace",
    "PYTHONUNBUFFERED": "1",  # what was printed before a crash is not lost
    "OPENBLAS_NUM_THREADS": "1",  # a process with threads cannot be forked
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_NUMBERS = itertools.count()
_DEFAULTS = {"PYTHONWARNINGS": "default"}
_REMOVED = ("PYTHONOPTIMIZE", "PYTHONFAULTHANDLER", "PYTHONINSPECT", "PYTEST_CURRENT_TEST")
#: Variables of coverage.py and pytest-cov, which would start a second measurement in the child.
_REMOVED_PREFIXES = ("COVERAGE_PROCESS_", "COV_CORE_")
#: Seconds that an orderly end may take.
_END_SECONDS = 2.0


def environment(ours: Mapping[str, str]) -> dict[str, str]:
    """Return the child's environment: ``ours`` without variables that change verdicts or measure coverage twice."""
    kept = {
        name: value for name, value in ours.items() if name not in _REMOVED and not name.startswith(_REMOVED_PREFIXES)
    }
    return {**_DEFAULTS, **kept, **_SET}


class Connection:
    """The connection to a process that does tasks.

    Attributes:
        is_usable: Whether the process has replied to each task so far.
    """

    def __init__(self, *, is_ours: bool) -> None:
        """Open the connection before its process starts; ``is_ours`` says that it will be a child of this process."""
        self._channel, self._theirs = socket.socketpair()
        self._taps, self._ends = Taps.open()
        self._file = os.memfd_create("blackbox")
        self._box = FlightRecorder.on(self._file)
        self._is_ours = is_ours
        self._pid = 0
        self.is_usable = True

    def ask(self, task: dict[str, Any], timeout: float) -> Reply:
        """Have the process do one task, and return the reply, which says if the process died or took too long."""
        self._taps.forget()
        try:
            insist_on_silence(self._channel.fileno())
        except InterferenceError as error:
            self.is_usable = False
            return Reply(failed=failures.of_interference(error, self._box.trail()))
        self._send(task)
        return self.reply(timeout)

    def reply(self, timeout: float) -> Reply:
        """Wait at most ``timeout`` seconds for the next reply, and return it."""
        watched = ChildHandle(self._pid, self._channel.fileno(), self._taps, self._box, self._is_ours)
        ending = watch(watched, timeout=timeout)
        if ending.message is None:
            self.is_usable = False
        return failures.reply_of(ending, self._taps, timeout)

    def end(self) -> None:
        """Close the connection; the process notices that, and ends by itself."""
        self._channel.close()
        self._taps.close()
        self._box.close()

    @contextlib.contextmanager
    def _handed(self) -> Iterator[dict[str, int]]:
        """Yield the file descriptors for the process, by name; close them in this process afterwards."""
        try:
            yield {**dataclasses.asdict(self._ends), "box": self._file, "channel": self._theirs.fileno()}
        finally:
            self._theirs.close()
            os.close(self._file)
            self._ends.close()

    def _send(self, value: object) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # ``reply`` reports how it died
            messages.send(self._channel.fileno(), value)


class ChildProcess(Connection):
    """A child of this process. It replies with the rules, if its settings ask for them, and then to the import."""

    def __init__(self, settings: ChildSettings, added: Mapping[str, str] | None = None) -> None:
        super().__init__(is_ours=True)
        self._mark = f"{owners.this_process()}.{next(_NUMBERS)}"
        with self._handed() as handed:
            is_taken = own_names.are_prefixed() or with_our_names(settings)
            start = _started_with_other_names if is_taken else _started
            self._process = start(handed, {**os.environ, **(added or {}), guard.MARK: self._mark})
        self._pid = self._process.pid
        self._send(settings.to_plain())

    def twin(self, timeout: float) -> Connection | None:
        """Return the connection to a fork of this child, which ends with the child; None if the fork fails."""
        twin = Connection(is_ours=False)
        with twin._handed() as handed:  # noqa: SLF001 - of this class
            self._send({"do": "twin", "descriptors": list(handed)})
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                socket.send_fds(self._channel, [b"\0"], list(handed.values()))
            reply = self.reply(timeout)
        if reply.failed is not None:
            twin.end()
            return None
        twin._pid = reply.value  # noqa: SLF001 - of this class
        return twin

    def end(self) -> None:
        """End the child and all processes that it started; give it two seconds to end by itself."""
        if self._process.returncode is not None:
            return
        self._channel.close()
        if self.is_usable:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_SECONDS)
        if self._process.returncode is None:
            linux.end_family(self._process.pid)
            self._process.wait()
        if not self.is_usable:  # it may have left processes running
            guard.end_marked(self._mark)
        super().end()


def with_our_names(settings: ChildSettings) -> str:
    """Return the user's package ``harness`` or ``conformance`` that the child would find; empty if there is none."""
    module = Path(settings.module).absolute()
    root = [str(module_files.name_and_root(module)[1])] if module_files.is_path(settings.module) else []
    return own_names.taken_in([*root, *settings.path])


def _started(handed: Mapping[str, int], ours: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return _running(BOOT, handed, ours)


def _started_with_other_names(handed: Mapping[str, int], ours: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return _running(own_names.prefixed(BOOT), handed, ours)


def _running(boot: str, handed: Mapping[str, int], ours: Mapping[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - this interpreter, and code of this package
        [sys.executable, "-c", boot, own_names.HOME, json.dumps({**handed, "parent": os.getpid()})],
        stdin=subprocess.DEVNULL,
        stdout=handed["stdout"],
        stderr=handed["stderr"],
        pass_fds=tuple(handed.values()),
        env=environment(ours),
        start_new_session=True,
    )
