"""Certify a generated library with one worker, two workers and none, and measure speed-up and memory over time.

    python benchmarks/scale/bench.py [--plugins 200] [--level 1] [--layout package|modules] [--workers 1 2 0]

One worker is ``-n 1``. A run without workers has helper processes on further processors. All runs judge the same
plugins, and the script fails if their reports differ. Growth is the slope of a process's memory over the run, without
the first fifth of its samples.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from library import plugins, write
from processes import Watch

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclasses.dataclass(frozen=True)
class Ran:
    """One run: its wall-clock and processor time in seconds, its exit status, its memory over time and its report."""

    workers: int
    seconds: float
    processor: float
    status: int
    watch: Watch
    report: dict


def run(folder: pathlib.Path, modules: list[str], workers: int, options: list[str]) -> Ran:
    """Certify the modules in a folder with some workers of pytest-xdist; 0 for none."""
    report = folder / f"report{workers}.json"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", f"-n{workers}"]
    command += [f"--plugin-report=json:{report}", *options, *(f"--plugin-module={module}" for module in modules)]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    before, started = os.times(), time.monotonic()
    with (folder / f"output{workers}.txt").open("w") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output)  # noqa: S603 - pytest
        watch = Watch(process.pid)
        watch.start()
        status = process.wait()
    seconds, after = time.monotonic() - started, os.times()
    watch.stop()
    if not report.exists():
        sys.exit((folder / f"output{workers}.txt").read_text()[-2000:] + f"\nno report: exit status {status}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Ran(workers, seconds, used, status, watch, json.loads(report.read_text()))


def show(ran: Ran, count: int) -> None:
    """Print the time and the memory of a run; ``count`` is its number of plugins."""
    rules = sum(len(entry["rules"]) for entry in ran.report["plugins"])
    seen = {entry["verdict"] for entry in ran.report["plugins"]}
    print(f"-n {ran.workers}: {ran.seconds:.1f} s, {ran.processor:.1f} s of processors, exit {ran.status}, ", end="")
    print(f"{rules:,} verdicts on {len(ran.report['plugins'])} cases: {', '.join(sorted(seen))}")
    for part in ("controller", "worker", "child"):
        peak, growth = ran.watch.peak(part), ran.watch.growth(part, count)
        if peak:
            print(f"    {part:<10} peak {peak:6.1f} MiB (RSS {ran.watch.peak(part, 'rss'):6.1f})", end="")
            print("" if part == "child" else f", grows by {growth:6.2f} KiB a plugin")
    together = max(sample.pss for sample in ran.watch.together)
    most = ran.watch.most_children
    print(f"    together   peak {together:6.1f} MiB, {most} processes of children at most", flush=True)


def main() -> None:
    """Generate a library, certify it in several runs, and compare these."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugins", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--level", default="1")
    parser.add_argument("--layout", choices=("package", "modules"), default="package")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 0])
    options = parser.parse_args()
    generated = plugins(options.plugins, options.seed)
    print(f"{options.plugins} plugins, {options.layout}, level {options.level}; ", end="")
    print(f"{len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.2f} before", flush=True)
    with tempfile.TemporaryDirectory(prefix="scale-") as name:
        folder = pathlib.Path(name)
        modules = write(folder, generated, as_package=options.layout == "package")
        runs = []
        for workers in options.workers:
            runs.append(run(folder, modules, workers, [f"--plugin-level={options.level}"]))
            show(runs[-1], options.plugins)
    by_workers = {ran.workers: ran for ran in runs}
    for ran in runs[1:]:
        print(f"-n {ran.workers} and -n {runs[0].workers} agree: {ran.report == runs[0].report}")
    if {1, 2} <= by_workers.keys():
        print(f"speed-up of -n 2 over -n 1: {by_workers[1].seconds / by_workers[2].seconds:.2f}")
    print(f"load {os.getloadavg()[0]:.2f} after")
    sys.exit(any(ran.report != runs[0].report or ran.status for ran in runs))


if __name__ == "__main__":
    main()
