#!/usr/bin/env python3
"""Show how a run spends its time: the rules that take longest, or the functions of one rule.

python tools/profile_run.py MODULE [--level 1|5|10] [--top N]
python tools/profile_run.py MODULE --rule FMT-001 [--case NAME]

The first command judges all rules, and times each request to the child. The second judges one rule in this process
under cProfile, and prints the functions with the most time.
"""

import argparse
import collections
import contextlib
import cProfile
import pstats
import resource
import time

from harness.contract import catalogue
from harness.contract.thoroughness import Thoroughness
from harness.controller.children.in_process import InProcess
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings, Request
from harness.results.run_plan import PluginPlan


class Timed:
    """Passes requests on, and adds up the number and the seconds of each rule's requests."""

    def __init__(self, isolation):
        self._isolation = isolation
        self.seconds = collections.Counter()
        self.requests = collections.Counter()

    def ask(self, request):
        """Return the answer to one request."""
        began = time.perf_counter()
        answer = self._isolation.ask(request)
        self.seconds[request.rule] += time.perf_counter() - began
        self.requests[request.rule] += 1
        return answer


def plans_of(isolation, module):
    """Import a module, and return its plugins by their keys."""
    loaded = isolation.load()
    if not loaded.ok:
        raise SystemExit(f"{module} cannot be imported: {loaded.answer}")
    plugins = isolation.discover()["plugins"]
    return {plugin["key"]: PluginPlan.from_plain(plugin, module, plugin["key"]) for plugin in plugins}


def judged(module, level, isolation):
    """Judge all cases of a module by all rules of a level, and return the times."""
    known, plans = catalogue.load(), plans_of(isolation, module)
    timed = Timed(isolation)
    runner = Runner(known, timed, level.seeds, plans, level)
    for key, plan in plans.items():
        for case in plan.cases:
            for rule in known.concerning(plan.interface):
                if rule.id in known.up_to(level):
                    runner.result(key, case.name, rule.id)
    return timed


def report(timed, began, top):
    """Return the lines to print: the total, and the rules that took longest."""
    spent, used = sum(timed.seconds.values()), resource.getrusage(resource.RUSAGE_CHILDREN)
    total = f"{time.perf_counter() - began:.1f} s in all, {spent:.1f} s of it in {timed.requests.total()} requests"
    lines = [
        f"{total}; the child's processor time: {used.ru_utime:.1f} s in user mode, {used.ru_stime:.1f} s in the system",
        "rule          ms   %  requests",
    ]
    for rule, seconds in timed.seconds.most_common(top):
        lines.append(f"{rule:<10}{1000 * seconds:>6.0f}{100 * seconds / spent:>4.0f}{timed.requests[rule]:>10}")
    return lines


def inside(options):
    """Judge one rule in this process, and print its functions by their time."""
    isolation = InProcess(ChildSettings(module=options.module, path=(".",)))
    plan = next(iter(plans_of(isolation, options.module).values()))
    request = Request(options.rule, plan.key, options.case or plan.cases[0].name, seed=0)
    profile = cProfile.Profile()
    profile.runcall(isolation.ask, request)
    pstats.Stats(profile).sort_stats("cumulative").print_stats(options.top)


def main():
    """Profile one rule, or time all rules, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module", help="a dotted name or a path")
    parser.add_argument("--rule", default="", help="profile this rule alone")
    parser.add_argument("--case", default="", help="with --rule: the case to judge (the first)")
    parser.add_argument(
        "--level", choices=[each.value for each in Thoroughness], default=Thoroughness.DEFAULT.value, help="(5)"
    )
    parser.add_argument("--top", type=int, default=20, help="how many lines (20)")
    options = parser.parse_args()
    if options.rule:
        inside(options)
        return
    began = time.perf_counter()
    with contextlib.closing(ProcessIsolation(ChildSettings(module=options.module, path=(".",)))) as isolation:
        timed = judged(options.module, Thoroughness(options.level), isolation)
    print("\n".join(report(timed, began, options.top)))


if __name__ == "__main__":
    main()
