"""Runs snippets at one API level: ``python snippets.py LEVEL FILE`` prints what the functions of FILE return.

A level is fixed once for a process, so everything that is looked at for one level shares a process. Each function of
the file whose name does not begin with ``_`` may take a fresh logger that keeps its lines; what it returns, or the
exception that it raises, goes out as JSON under its name.
"""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
import types
import warnings
from pathlib import Path

import reference_runtime
from reference_runtime import levels

HERE = Path(__file__).parent
ROOT = HERE.parents[3]


def run_snippets(level, file):
    """Return what the snippets of a file gave at a level, by name."""
    command = [sys.executable, __file__, level, HERE / file]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(  # noqa: S603 - our own interpreter
        command, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the snippets of level {level} ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])  # snippets may print, too


class Gave:
    """What the snippets gave, raised and warned of."""

    def __init__(self, found):
        self._found = found

    def __call__(self, name):
        if "raised" in self._found[name]:
            raise AssertionError(f"{name} raised {self._found[name]['raised']}")
        return self._found[name]["gave"]

    def raised(self, name):
        return self._found[name].get("raised", f"nothing: {self._found[name].get('gave')!r}")

    def warned(self, name):
        return self._found[name]["warned"]


class Kept(reference_runtime.ILogger):
    """Keeps the errors that the runtime tells."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def log(self, severity, text):
        if severity <= reference_runtime.ILogger.ERROR:
            self.lines.append(text)


def looked_at(snippet):
    """Return what a snippet gave or raised, and the warnings on the way; it gets a logger if it takes one."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = {"gave": snippet(*[Kept()][: snippet.__code__.co_argcount])}
        except Exception as error:  # noqa: BLE001 - it is what the test is about
            found = {"raised": f"{type(error).__name__}: {error}"}
    return {**found, "warned": [str(each.message) for each in warned]}


def main(level, file):
    levels.apply(level)
    found = {
        name: looked_at(snippet)
        for name, snippet in runpy.run_path(file).items()
        if isinstance(snippet, types.FunctionType) and not name.startswith("_")
    }
    sys.stdout.write("\n" + json.dumps(found, default=repr))


if __name__ == "__main__":
    main(*sys.argv[1:])
