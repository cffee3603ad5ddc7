"""Start interpreters that build, wait for them, and after a crash start a new interpreter for the remaining builds.

Theory. A process has only one copy of NVIDIA's library and its registry, and a builder may crash. So each process is a
new interpreter, not a fork, and its end is an observation. Unless it crashes, one process does all builds of a case.
Three files show what happened before its end. One has the lines that it wrote about each step. One is its flight
recorder, with the last callback. One is its standard error, for example with a message of the memory allocator.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib.util
import json
import os
import platform
import re
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from harness.child.nvidias_builder.asked import Asked, Creator
from harness.child.nvidias_builder.models import builds_of
from harness.child.nvidias_builder.outcomes import Death, Misdeed, Outcome, Outcomes, Seen
from harness.contract import own_names
from harness.contract.finding import NotRun
from harness.contract.own_names import public
from harness.process import nvidia_packages, own_clock
from harness.process.flight_recorder import SIZE, FlightRecorder
from harness.process.source_lines import HEADING, cause_of
from harness.process.temporary import temporary_folder
from harness.subject.missing import missing_package

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.child.nvidias_builder.asked import WantedBuild
    from harness.process.nvidia_packages import NvidiaPackage
    from harness.subject.subject import Subject

_START: Final = "from harness.child.nvidias_builder import main as it; it.main()"
_WHEN: Final = {
    "": "while the module was imported",
    "parse": "while the model was parsed",
    "build": "while the plan was built",
    "collect": "after the build, when Python freed what was left of it",
    "exit": "after the last build, at the end of the process",
}
_LATE: Final = ("collect", "exit")
_HANGS: Final = "went no further"
#: Exceptions in the bindings' messages about a callback that needs a missing package or GPU.
_LACK: Final = re.compile(r"\bNeeds(?:Gpu|Package|StandIn): (.*)")
_NO_MODULE: Final = re.compile(r"ModuleNotFoundError: No module named '([\w.]+)'")
#: The text of a callback in the flight recorder.
_ENTRY: Final = re.compile(r"(?P<callback>[^(]*)\((?P<place>.*)\), during [^)]*")


def outcomes_of(subject: Subject) -> Outcomes:
    """Build the subject's case with NVIDIA's builder and the reference runtime, and return the outcomes.

    Raises:
        NotRun: The case cannot be built like this; the argument says why.
    """
    if subject.task is None:
        raise NotRun("the subject was made outside a child")
    settings = subject.task.settings
    package = nvidia_packages.by_module(settings.builder)
    if not package.has_wheel():
        here = f"{platform.system()} on {platform.machine()}"
        raise NotRun(f"{package.product} exists for Linux on {package.machine} alone, and this is {here}")
    if settings.program:
        raise NotRun("the plugins come from a program, which the builder's process does not run")
    creator = type(subject.creator)
    task = Asked(
        dataclasses.replace(settings, module=settings.given),
        settings.builder,
        Creator(
            subject.case.plugin,
            subject.case.version,
            subject.case.namespace,
            public(creator.__module__),
            creator.__qualname__,
        ),
        builds_of(subject),
    )
    theirs = _Side(package).of(task)
    builder = package.label()
    if theirs.unusable:
        return Outcomes(builder, unusable=theirs.unusable)
    alive = tuple(each for each in task.builds if each.number in theirs.seen.keys() - theirs.deaths.keys())
    ours = _Side(None).of(dataclasses.replace(task, runtime="", builds=alive, times=1))
    tried = [each for each in task.builds if each.number in theirs.seen.keys() | theirs.deaths.keys()]
    return Outcomes(builder, tuple(_outcome(each, theirs, ours) for each in tried))


def _outcome(build: WantedBuild, theirs: _Side, ours: _Side) -> Outcome:
    """Return the outcome of one build by both runtimes."""
    first, again, *_ = (*theirs.seen.get(build.number, []), None, None)
    reference, *_ = (*ours.seen.get(build.number, []), None)
    misdeeds = tuple(dict.fromkeys(theirs.misdeeds.get(build.number, ())))
    return Outcome(build.types, first, again, theirs.deaths.get(build.number), reference, misdeeds)


class _Kept:
    """The file descriptor of a memory file with results of builds as JSON, which all forks of a child share."""

    memory = -1


def kept_or(key: str, find: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return the result that another fork has stored under a key, or call ``find`` and store its result.

    If two forks write at the same time, a result may be lost, and is then found again.
    """
    if _Kept.memory < 0:
        return find()
    size = os.fstat(_Kept.memory).st_size
    try:
        held: dict[str, Any] = json.loads(os.pread(_Kept.memory, size, 0) or b"{}")
    except ValueError:  # another fork writes
        held = {}
    if key not in held:
        held[key] = find()
        content = json.dumps(held).encode()
        os.ftruncate(_Kept.memory, len(content))
        os.pwrite(_Kept.memory, content, 0)
    result: dict[str, Any] = held[key]
    return result


def get_ready() -> None:
    """Import all modules that builds need before the first fork: a fork whose modules change does no further task."""
    if _Kept.memory < 0:
        _Kept.memory = os.memfd_create("builds")
    if importlib.util.find_spec("onnx") is not None:  # without a wheel of NVIDIA's for this machine, it may be missing
        importlib.import_module("onnx.helper")
    nvidia_packages.RTX.label()
    nvidia_packages.RTX.has_wheel()
    with temporary_folder():
        pass


class _Side:
    """One runtime and its results; its processes run one after the other.

    Attributes:
        unusable: Why the runtime cannot be tried; empty if it was tried.
        seen: The results of each build by its number, one for each time that it was done.
        deaths: How the process ended, by the number of the build in which it ended unexpectedly.
        misdeeds: The mistakes of a C++ library, by the number of the build.
    """

    def __init__(self, package: NvidiaPackage | None) -> None:
        self._package = package
        self.unusable = ""
        self.seen: dict[int, list[Seen]] = {}
        self.deaths: dict[int, Death] = {}
        self.misdeeds: dict[int, list[Misdeed]] = {}

    def of(self, task: Asked) -> _Side:
        """Do all builds, with a new process after each crash; stop after a process that hung."""
        left = task.builds
        while left and not self._is_over:
            with temporary_folder() as folder:
                self._run(dataclasses.replace(task, builds=left), Path(folder))
            # the process does the builds in order, so all up to the last result or crash are done
            left = tuple(each for each in left if each.number > max((*self.seen, *self.deaths), default=-1))
        return self

    @property
    def _is_over(self) -> bool:
        return bool(self.unusable) or any(death.hangs for death in self.deaths.values())

    def _run(self, task: Asked, folder: Path) -> None:
        request, lines, box, errors = (folder / name for name in ("request.json", "lines", "box", "stderr"))
        request.write_text(json.dumps(task.to_plain()), "utf-8")
        box.write_bytes(bytes(SIZE))
        lines.touch()
        environment = dict(os.environ) if self._package is None else self._package.environment(folder)

        def limit() -> tuple[int, float]:
            """Return the length of the lines so far, and the seconds in which the process must write more."""
            said = lines.stat().st_size
            return said, task.settings.timeout if said else task.settings.import_timeout

        with errors.open("w+b") as written:
            try:
                done = own_clock.run_in_steps(
                    own_names.command(_START, str(request), str(lines), str(box)),
                    limit,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=written,
                    env=environment,
                )
                how = _how(done.returncode)
            except subprocess.TimeoutExpired as expired:
                how = f"{_HANGS} for {expired.timeout:g} s"
            except OSError as error:
                raise NotRun(f"a new interpreter cannot be started: {error}") from error
        traces = _Traces(lines, box, errors)
        self._take([json.loads(line) for line in lines.read_text("utf-8").splitlines()])
        self.unusable = self.unusable or traces.lack()
        self._explain(how, task.builds, traces)

    def _take(self, lines: list[dict[str, Any]]) -> None:
        number = 0
        for line in lines:
            self.unusable = line.get("unusable", self.unusable)
            number = line.get("number", number)
            if "misdeed" in line:
                self.misdeeds.setdefault(number, []).append(Misdeed(*line["misdeed"]))
            if "seen" in line:
                self.seen.setdefault(line["build"], []).append(Seen.from_plain(line["seen"]))

    def _explain(self, how: str, builds: tuple[WantedBuild, ...], traces: _Traces) -> None:
        """Store how the process ended for the build that ran last, if the end was unexpected."""
        step = traces.last_step()
        if self.unusable or (not how and step.get("step") == "exit"):
            return
        number = step.get("number", builds[-1].number if step else builds[0].number)
        doing = step.get("step", "")
        callback, place = traces.callback()
        self.deaths[number] = Death(
            how or "ended early",
            _WHEN[doing],
            callback,
            place,
            traces.words(),
            is_late=doing in _LATE,
            hangs=how.startswith(_HANGS),
        )


def _how(status: int) -> str:
    if status < 0:
        return f"died by {signal.Signals(-status).name}"
    return f"ended with exit status {status}" if status else ""


class _Traces(msgspec.Struct, frozen=True, dict=True):
    """The files that a process leaves behind."""

    lines: Path
    box: Path
    errors: Path

    @functools.cached_property
    def written(self) -> str:
        """Return the text that the process wrote to its standard error."""
        return self.errors.read_text("utf-8", errors="replace")

    def last_step(self) -> dict[str, Any]:
        """Return the last step that the process began; empty where it began none."""
        steps = [line for line in map(json.loads, self.lines.read_text("utf-8").splitlines()) if "step" in line]
        return steps[-1] if steps else {}

    def callback(self) -> tuple[str, str]:
        """Return the callback that ran last, and its place; empty if there was none."""
        with self.box.open("r+b") as file:
            recorder = FlightRecorder.on(file.fileno())
            try:
                calls = recorder.trail().calls
            finally:
                recorder.close()
        last = _ENTRY.fullmatch(calls[-1]) if calls else None
        return (last["callback"], last["place"]) if last else ("", "")

    def lack(self) -> str:
        """Return the package or GPU that a callback needed and this machine lacks; empty if none.

        The bindings write each failure of a callback to standard error.
        """
        if match := _LACK.search(self.written):
            return match[1]
        modules = _NO_MODULE.findall(self.written)
        return next(filter(None, (missing_package(ModuleNotFoundError(name=name)) for name in modules)), "")

    def words(self) -> str:
        """Return the last line on the process's standard error; if it holds a C++ stack, the cause of that."""
        lines = [line.strip() for line in self.written.splitlines() if line.strip()]
        return cause_of(self.written) if HEADING in self.written else next(reversed(lines), "")
