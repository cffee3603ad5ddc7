#!/usr/bin/env python3
"""Judge the fuzz rules on all correct examples with many seeds: none may fail. This takes many minutes.

python tools/fuzz_sound.py [NAME ...] [--runs 200] [--first 0] [--jobs 2] [--near-misses]

One run judges all fuzz rules on all cases of all examples with one seed. Each failure is printed with the command that
replays it. If there is any, the exit status is 1.
"""

import argparse
import concurrent.futures
import multiprocessing
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tests are not an installed package

from harness.contract.verdict import Kind  # noqa: E402
from harness.controller import replay  # noqa: E402 - needs sys.path
from harness.controller.fuzz.saved_examples import SavedExample  # noqa: E402
from harness.protocol.messages import Request  # noqa: E402
from harness.results.run_plan import ItemId  # noqa: E402
from tests.support import fuzzed, witnesses  # noqa: E402

#: The number of seeds of one task; each task prints one line of progress.
STRIDE = 20


def chosen(options):
    """Return the modules to judge."""
    known = [*witnesses.examples(), *(witnesses.near_misses() if options.near_misses or options.names else ())]
    names = {module.rpartition(".")[2]: module for module in known}
    unknown = set(options.names) - set(names)
    if unknown:
        sys.exit(f"no sound example or near miss is named {', '.join(sorted(unknown))}")
    return [names[name] for name in options.names] or known


def judged(module, seeds):
    """Judge the fuzz rules on a module with each seed; return the number of searches that judged, and the failures."""
    rules, searches, failures = fuzzed.fuzz_rules(), 0, []
    with fuzzed.opened(module) as child:
        for seed in seeds:
            for each in child.searches(seed, rules):
                searches += each.found.answer.evidence > 0
                if each.found.answer.fails or each.found.answer.kind is Kind.BROKEN:
                    failures.append(message(child.settings, each))
    return searches, failures


def message(settings, searched):
    """Return the message about a failure: the item, the seed, the violation, and the command to replay it."""
    result = searched.found
    request = Request(searched.rule, searched.plugin, searched.case, searched.seed, examples=list(result.examples))
    nodeid = ItemId(searched.plugin, searched.case, searched.rule).nodeid
    answer = result.answer
    what = answer.violations[0].what if answer.violations else answer.mishap or answer.reason
    lines = [f"FAIL {settings.module} {nodeid} with seed {searched.seed}: {result.reason or what}"]
    if result.examples:
        lines.append(f"  replay {replay.command(nodeid, SavedExample(settings, request), is_saved=False)}")
    return "\n".join(lines)


def tasks(modules, first, runs):
    """Return the tasks: one module with some of the seeds; early seeds of all modules come first."""
    return [
        (module, range(begin, min(begin + STRIDE, first + runs)))
        for begin in range(first, first + runs, STRIDE)
        for module in modules
    ]


def main():
    """Judge the modules, print the progress and the failures, and sum up."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these modules, without their package")
    parser.add_argument("--runs", type=int, default=200, help="how many seeds (200)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--jobs", type=int, default=2, help="how many modules at a time (2)")
    parser.add_argument("--near-misses", action="store_true", help="judge the near misses too")
    options = parser.parse_args()
    began, searches, failures = time.monotonic(), 0, []
    modules = chosen(options)
    planned = tasks(modules, options.first, options.runs)
    with concurrent.futures.ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(judged, *task): task for task in planned}
        for number, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            module, seeds = waiting[done]
            more, failed = done.result()
            searches, failures = searches + more, failures + failed
            where = f"{module.rpartition('.')[2]}, seeds {seeds[0]}-{seeds[-1]}"
            print(f"{number}/{len(planned)} {where}: {more} searches, {len(failed)} failures", flush=True)
            for failure in failed:
                print(failure, flush=True)
    rules, took = len(fuzzed.fuzz_rules()), time.monotonic() - began
    print(
        f"{options.runs} runs of {rules} fuzz rules on {len(modules)} modules: {searches} searches, "
        f"{len(failures)} failures, {took:.0f} s"
    )
    if failures or not searches:
        sys.exit(1)


if __name__ == "__main__":
    main()
