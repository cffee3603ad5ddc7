"""Measure the processor time of whole certifications, and of scikit-learn's ``check_estimator`` for comparison.

    pip install -e . --group benchmarks
    python benchmarks/bench_certify.py [--rounds 3] [--only WORD]

Each round runs each subject once, in turns, so that the state of the machine is the same for all. The table has the
least time of each. A time is the processor time of a process and all its children, in seconds, with start and imports.
Libraries of linear algebra get one thread, because several threads wait for each other in loops, which counts as work.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import os
import pathlib
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "scale"))

from library import plugins, write

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[1]
_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly")
_ESTIMATOR = """
import warnings
warnings.simplefilter("ignore")
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator
check_estimator(LogisticRegression())
"""
#: The subjects that are always measured: pytest without tests, and the subject with which all others are compared.
EMPTY = "pytest, no tests"
YARDSTICK = "check_estimator(LogisticRegression())"
_FIVE_CASES = """
from plugin_examples.leaky_relu_v3 import *
from plugin_examples.leaky_relu_v3_cases import PLUGIN_CASES as known

first = known[0]
PLUGIN_CASES = [
    *known,
    {**first, "name": "narrow", "inputs": [{"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (9, 3)}]},
    {**first, "name": "long", "inputs": [{"dims": ("N",), "min": (1,), "opt": (64,), "max": (4096,)}]},
]
"""


@dataclasses.dataclass(frozen=True)
class Subject:
    """One command to measure: its name in the table, and the arguments for Python."""

    name: str
    arguments: tuple[str, ...]


def subjects(folder: pathlib.Path) -> Iterator[Subject]:
    """Yield the subjects to measure; generated modules are written into a folder."""
    (folder / "five_cases.py").write_text(_FIVE_CASES)
    write(folder, plugins(10, seed=0), as_package=True)
    (one,) = write(folder, plugins(1, seed=0), as_package=False)
    yield Subject(YARDSTICK, ("-c", _ESTIMATOR))
    yield Subject(EMPTY, _PYTEST)
    yield Subject("bar, collected", (*_PYTEST, "--plugin-module=plugin_examples.bar", "--collect-only"))
    for level in (1, 5, 10):
        yield _certified("bar", "plugin_examples.bar", level)
    yield _certified("bar_v3", "plugin_examples.bar_v3", 5)
    yield _certified("leaky_relu_v3 with five cases", "five_cases", 5)
    yield _certified("one plugin of a library", one, 5)
    yield _certified("ten plugins of it in a module", "library", 5)


def _certified(name: str, module: str, level: int) -> Subject:
    return Subject(f"{name}, level {level}", (*_PYTEST, f"--plugin-module={module}", f"--plugin-level={level}"))


def spent(subject: Subject, folder: pathlib.Path) -> float:
    """Return the processor time of one run, in seconds."""
    empty = folder / "empty"
    empty.mkdir(exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    environment |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users' runs have compiled modules, too
    before = os.times()
    done = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, *subject.arguments], cwd=empty, env=environment, capture_output=True, text=True, check=False
    )
    after = os.times()
    if done.returncode not in {0, 5}:  # 5: pytest found no tests
        sys.exit(f"{subject.name} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Measure the subjects, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each runs (3)")
    parser.add_argument(
        "--only", default="", metavar="WORD", help=f"only subjects with WORD in the name, {EMPTY} and {YARDSTICK}"
    )
    options = parser.parse_args()
    times: dict[str, list[float]] = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chosen = [each for each in subjects(folder) if options.only in each.name or each.name in {EMPTY, YARDSTICK}]
        for _ in range(options.rounds):
            for subject in chosen:
                times[subject.name].append(round(spent(subject, folder), 2))
    yardstick = min(times[YARDSTICK])
    print(f"{'CPU s':>7} {'ratio':>6}  the least of {options.rounds}; the ratio is to {YARDSTICK}")
    for each, seconds in times.items():
        print(f"{min(seconds):7.2f} {min(seconds) / yardstick:6.2f}  {each}")


if __name__ == "__main__":
    main()
