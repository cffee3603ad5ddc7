"""The two sides of the comparison, each a process of its own: the genuine bindings, and the reference runtime."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
WORKER = str(HERE / "worker.py")
GENUINE = [sys.executable, WORKER, "tensorrt_lean"]
OURS = [sys.executable, "-m", "harness.child.import_names", WORKER, "tensorrt"]


class Side:
    """A worker process that answers one request at a time."""

    def __init__(self, command):
        reader, writer = os.pipe()
        self.process = subprocess.Popen(  # noqa: S603 - our own script
            [*command, str(writer)], stdin=subprocess.PIPE, text=True, cwd=ROOT, pass_fds=[writer]
        )
        os.close(writer)
        self.answers = os.fdopen(reader)

    def ask(self, request):
        """Return the outcome of each item of a program."""
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.answers.readline()
        if not answer:
            raise EOFError(f"the worker {self.process.args[-1]} ended with status {self.process.wait()}")
        return json.loads(answer)

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()
        self.answers.close()


@contextlib.contextmanager
def both():
    """Start both sides; yield a function that returns the outcomes of a program on each: (genuine, ours)."""
    genuine, ours = Side(GENUINE), Side(OURS)
    known = {}

    def ask(request):
        text = json.dumps(request)
        if text not in known:
            known[text] = genuine.ask(request), ours.ask(request)
        return known[text]

    try:
        yield ask
    finally:
        genuine.close()
        ours.close()


def differences(genuine, ours):
    """Return what differs: {item: (genuine outcome, our outcome)}; where the original crashes, we raise NativeCrash."""
    found = {}
    for item in [*genuine, *(name for name in ours if name not in genuine)]:
        one, other = genuine.get(item, "no such item"), ours.get(item, "no such item")
        both_crash = "signal" in one and "signal" in other
        if one != other and not both_crash:
            found[item] = (one, other)
    return found
