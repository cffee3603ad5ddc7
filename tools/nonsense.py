#!/usr/bin/env python3
"""Have each callback of correct plugins return wrong values of many kinds, and print the rules' findings.

python tools/nonsense.py [METHOD ...] [--module MODULE] [--kind KIND ...] [--sample N] [--seed N]
                         [--jobs N] [--minutes M] [--out FILE]

If a rule itself raises, or a process dies, the tool prints it, and the exit status is 1. For each callback, the tool
prints the rules that report it, and the kinds of values that no rule reports. With --out, each result is saved when it
is known, and results in the file are not judged again. So a run continues a run that --minutes ended.
"""

import argparse
import collections
import hashlib
import json
import pathlib
import random
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tests are not an installed package

from tests.support.nonsense.judging import callbacks, told_of  # noqa: E402 - needs sys.path
from tests.support.nonsense.kinds import KINDS  # noqa: E402 - as above
from tools.deadline import Deadline, in_processes  # noqa: E402 - as above

#: The number of kinds of values that a process judges as one piece of work.
_AT_ONCE = 4


def report(callback, results):
    """Print the results of one callback; return whether a rule itself raised or a process died."""
    spoke, silent, failed = collections.Counter(), [], False
    for kind, each in results.items():
        spoke.update(sorted(each.get("broken", {})))
        if "died" in each or each.get("internal"):
            failed = True
            how = each.get("died") or f"{len(each['internal'])} rules"
            print(f"FAILED BY ITSELF: {callback} returns {kind}: {how}")
            print("\n".join(text.strip()[-1500:] for text in each.get("internal", [])[:2]))
        elif not each["broken"] and not each["problems"]:
            silent.append(kind)
    print(f"{callback}: {', '.join(f'{rule} {count}' for rule, count in spoke.most_common())}")
    print(f"  no rule reports {len(silent)}: {'; '.join(silent)}", flush=True)
    return failed


def pieces(selected, results):
    """Return the work that is left, in mixed order: ``(callback, kinds)`` with some kinds of one callback."""
    left = []
    for callback, kinds in selected.items():
        missing = [kind for kind in kinds if kind not in results.get(".".join(callback), {})]
        left += [(callback, missing[at : at + _AT_ONCE]) for at in range(0, len(missing), _AT_ONCE)]
    return sorted(left, key=lambda piece: hashlib.sha256(str(piece).encode()).digest())


def judge(selected, results, jobs, minutes, out):
    """Judge the work that is left until the time is up; add each result to ``results``, and save it."""
    for (callback, _), each in in_processes(_judged, pieces(selected, results), jobs, Deadline(minutes)):
        results.setdefault(".".join(callback), {}).update(each)
        if out:
            out.write_text(json.dumps(results, indent=1))


def _judged(piece):
    callback, kinds = piece
    return told_of(*callback, kinds)


def main():
    """Judge the callbacks and kinds that the command line selects."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="only these callbacks")
    parser.add_argument("--module", help="only those of this module")
    parser.add_argument("--kind", action="append", choices=list(KINDS), metavar="KIND", help="only this nonsense")
    parser.add_argument("--sample", type=int, help="only so many kinds for each callback, others for each")
    parser.add_argument("--seed", type=int, default=0, help="which sample (0)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes judge at a time (1)")
    parser.add_argument("--minutes", type=float, help="end after this time; with --out the next run goes on from there")
    parser.add_argument("--out", type=pathlib.Path, help="the file in which to save the results")
    options = parser.parse_args()
    selected = {
        callback: _kinds(callback, options)
        for callback in callbacks()
        if (not options.methods or callback[2] in options.methods) and options.module in {None, callback[0]}
    }
    results = json.loads(options.out.read_text()) if options.out and options.out.exists() else {}
    judge(selected, results, options.jobs, options.minutes, options.out)
    failed = [report(callback, each) for callback, each in sorted(results.items())]
    if left := sum(len(kinds) for _, kinds in pieces(selected, results)):
        print(f"not judged: {left} of {sum(map(len, selected.values()))}")
    sys.exit(any(failed))


def _kinds(callback, options):
    """Return the kinds of values for one callback: all, those of ``--kind``, or a sample."""
    kinds = options.kind or list(KINDS)
    if options.sample is None:
        return kinds
    drawn = random.Random(f"{options.seed} {callback}")  # noqa: S311 - a reproducible sample, no secret
    return drawn.sample(kinds, min(options.sample, len(kinds)))


if __name__ == "__main__":
    main()
