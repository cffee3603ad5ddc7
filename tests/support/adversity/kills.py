"""Runs that are killed at random moments, and what they leave: processes, temporary folders, or no end at all.

``python -m tests.support.adversity.kills 40 SEED`` kills 40 runs and prints what each left.
"""

import collections
import contextlib
import dataclasses
import functools
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

HOME = Path(__file__).parents[3]
STUBS = Path(__file__).parents[1] / "stubs"
#: Seconds after which a run that was killed, or lost a process, counts as one that does not end.
ENDLESS = 60
#: Seconds after the end of a run, or its death, after which a process counts as left.
LEFT = 5
#: Its import, a rule's process and the plugin's own processes take their time; two processes leave their session.
PLUGIN = """
from stub_contract import *
import subprocess, sys, tempfile
PLUGINS = {f"/Bar{number}/1": [case("one"), case("two")] for number in range(2)}
subprocess.Popen(["sleep", "3600"], start_new_session=True)
def enq_002():
    subprocess.Popen(["sleep", "3600"])
    subprocess.Popen(["sleep", "3600"], start_new_session=True)
    return "the sum is wrong"
"""
#: As ``trt-conformance``, with the stub judge; and what takes the place of pytest's own plugins.
_CERTIFY = (
    "import sys; from tests.support import certificates; from harness.frontends.cli import main\n"
    "with certificates.stubbed(): sys.exit(main.main(sys.argv[1:]))"
)
_PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pytest_trt_conformance", "-p", "stub_certification"]
COMMANDS = {
    "pytest": [*_PYTEST, "--plugin-module=my_plugin", "--plugin-report=json:report.json"],
    "workers": [*_PYTEST, "-p", "xdist.plugin", "-n2", "--plugin-module=my_plugin"],
    "certify": ["-c", _CERTIFY, "certify", "my_plugin.py", "-o", "certificate.json"],
}
#: What asks a run to end; it tidies up.
ASKING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
#: Who gets the signal: the process that was started, its process group, or one of all others.
RUN, GROUP, OTHER = "run", "group", "other"


@dataclasses.dataclass(frozen=True)
class Kill:
    """A kill: of which run, by what, of whom, and after which part of the time that the run takes."""

    command: str
    signal: signal.Signals
    victim: str
    moment: float
    chance: float

    def __str__(self):
        return f"{self.command} {self.signal.name} of {self.victim} at {self.moment:.2f}"


@dataclasses.dataclass(frozen=True)
class Left:
    """What a killed run left behind."""

    kill: Kill
    victim: str
    endless: bool
    processes: list[str]
    folders: list[str]
    seconds: float

    @property
    def is_wrong(self):
        """Whether there is something that must not be: a folder, only where a process had time to remove it."""
        return bool(self.endless or self.processes or (self.folders and self.kill.signal != signal.SIGKILL))


def kills(number, seed):
    """Return kills of all kinds, each as often as the others; what is left to chance is told by the seed."""
    chance = random.Random(seed)  # noqa: S311 - nobody's secret
    kinds = [(command, how, who) for command in COMMANDS for how in ASKING for who in (RUN, GROUP)]
    kinds += [(command, signal.SIGKILL, who) for command in COMMANDS for who in (RUN, OTHER, OTHER)]
    order = [chance.sample(kinds, len(kinds)) for _ in range(-(-number // len(kinds)))]
    chosen = [kind for each in order for kind in each][:number]
    return [Kill(*kind, (index + chance.random()) / number, chance.random()) for index, kind in enumerate(chosen)]


class Runs:
    """Starts runs in a folder and kills them."""

    def __init__(self, folder):
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        (folder / "my_plugin.py").write_text(PLUGIN)
        (folder / "pytest.ini").write_text("[pytest]\n")
        self._mark = ""

    def start(self, command):
        """Start a run; a word in the environment of all its processes names it."""
        self._mark = uuid.uuid4().hex
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "TRT_"))}
        ours = {"PYTHONPATH": f"{HOME}:{STUBS}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "MARK_OF_RUN": self._mark}
        return subprocess.Popen(  # noqa: S603 - our own command
            [sys.executable, *COMMANDS[command]],
            cwd=self.folder,
            env={**kept, **ours, "TMPDIR": str(self.temporary)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def undisturbed(self, command):
        """Let a run come to its end, and return what was left."""
        with self.start(command) as process:
            process.wait(ENDLESS)
        return [*self._left_after(LEFT), *self.folders()]

    @functools.cache  # noqa: B019 - of a test
    def seconds(self, command):
        """Return how long a run takes that nobody kills."""
        begun = time.monotonic()
        self.undisturbed(command)
        return time.monotonic() - begun

    def kill(self, kill):
        """Start a run, kill it, and return what it left."""
        before, takes = set(self.folders()), self.seconds(kill.command)
        with self.start(kill.command) as process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(kill.moment * takes)
            victim = self._send(kill, process)
            begun = time.monotonic()
            endless = _is_endless(process)
            left = self._left_after(LEFT)
            seconds = time.monotonic() - begun
            self._end_all()
        return Left(kill, victim, endless, left, sorted(set(self.folders()) - before), seconds)

    def folders(self):
        """Return the names of what is in the folder for temporary files."""
        return sorted(path.name for path in self.temporary.iterdir() if not path.name.startswith("pytest-of-"))

    def _send(self, kill, process):
        """Send the signal; return whom it met."""
        with contextlib.suppress(ProcessLookupError):
            if kill.victim == GROUP:
                os.killpg(process.pid, kill.signal)
            elif kill.victim == RUN:
                os.kill(process.pid, kill.signal)
            elif others := sorted({*self._marked()} - {process.pid}):
                victim = others[int(kill.chance * len(others))]
                named = _command(victim)
                os.kill(victim, kill.signal)
                return named
        return kill.victim

    def _left_after(self, seconds):
        """Return the commands of processes of this run that live on after so many seconds."""
        deadline = time.monotonic() + seconds
        while pids := self._marked():
            with contextlib.suppress(ProcessLookupError):
                file = os.pidfd_open(pids[0])
                try:
                    if not select.select([file], [], [], max(deadline - time.monotonic(), 0))[0]:
                        return [_command(pid) for pid in pids]
                finally:
                    os.close(file)
        return []

    def _end_all(self):
        for pid in self._marked():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _marked(self):
        word = f"MARK_OF_RUN={self._mark}".encode()
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        return [pid for pid in pids if word in _read(f"/proc/{pid}/environ").split(b"\0")]


def _is_endless(process):
    try:
        process.wait(ENDLESS)
    except subprocess.TimeoutExpired:
        return True
    return False


def _command(pid):
    return _read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode()[-60:]


def _read(path):
    with contextlib.suppress(OSError):
        return Path(path).read_bytes()
    return b""


def main():
    """Kill runs, and print what each left."""
    number, seed = int(sys.argv[1]), sys.argv[2]
    totals = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(Path(folder))
        for kill in kills(number, seed):
            left = runs.kill(kill)
            totals += collections.Counter(
                kills=1, endless=left.endless, processes=bool(left.processes), folders=bool(left.folders)
            )
            totals["folders after another signal than SIGKILL"] += bool(left.folders) and left.is_wrong
            said = f"{kill} ({left.victim}): {left.seconds:.1f} s {left.processes or ''} {left.folders or ''}"
            sys.stdout.write(f"{'WRONG' if left.is_wrong else 'ok   '} {said}{' ENDLESS' * left.endless}\n")
            sys.stdout.flush()
        after = {command: runs.undisturbed(command) for command in COMMANDS}
    sys.stdout.write(f"{dict(totals)}\nafter another run each: {after}\n")


if __name__ == "__main__":
    main()
