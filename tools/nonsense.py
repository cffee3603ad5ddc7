#!/usr/bin/env python3
"""Let each callback of correct plugins return nonsense of many kinds, and print the rules' findings.

python tools/nonsense.py [METHOD ...] [--module MODULE] [--kind KIND ...] [--sample N] [--seed N]
                         [--jobs N] [--minutes M] [--out FILE]

A rule that fails by itself, and a process that dies, are printed with the exception. Then the exit status is 1. A
line for each callback lists the rules that report it, and the kinds of nonsense that no rule reports. With --out,
results are saved as they come, and what the file has already is not judged again. A run that --minutes ended goes on
where it stopped.
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

from tests.support.nonsense.judging import callbacks, told_of  # noqa: E402 - after the line before
from tests.support.nonsense.kinds import KINDS  # noqa: E402 - as above
from tools.deadline import Deadline, in_processes  # noqa: E402 - as above

#: How many kinds of nonsense a process judges before it says what it found.
_AT_ONCE = 4


def told(callback, found):
    """Print the results of one callback; return whether a rule or process failed by itself."""
    spoke, silent, failed = collections.Counter(), [], False
    for kind, each in found.items():
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


def pieces(wanted, found):
    """Return what is left to judge in mixed order: ``(callback, kinds)``, some kinds of one callback at a time."""
    left = []
    for callback, kinds in wanted.items():
        missing = [kind for kind in kinds if kind not in found.get(".".join(callback), {})]
        left += [(callback, missing[at : at + _AT_ONCE]) for at in range(0, len(missing), _AT_ONCE)]
    return sorted(left, key=lambda piece: hashlib.sha256(str(piece).encode()).digest())


def judged(wanted, found, jobs, minutes, out):
    """Add to what was found earlier all that is judged before the time is up; save it as it comes."""
    for (callback, _), each in in_processes(_told_of, pieces(wanted, found), jobs, Deadline(minutes)):
        found.setdefault(".".join(callback), {}).update(each)
        if out:
            out.write_text(json.dumps(found, indent=1))


def _told_of(piece):
    callback, kinds = piece
    return told_of(*callback, kinds)


def main():
    """Judge what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="only these callbacks")
    parser.add_argument("--module", help="only those of this module")
    parser.add_argument("--kind", action="append", choices=list(KINDS), metavar="KIND", help="only this nonsense")
    parser.add_argument("--sample", type=int, help="only so many kinds for each callback, others for each")
    parser.add_argument("--seed", type=int, default=0, help="which sample (0)")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes judge at a time (1)")
    parser.add_argument("--minutes", type=float, help="end after this time; with --out the next run goes on from there")
    parser.add_argument("--out", type=pathlib.Path, help="where to save what was found")
    options = parser.parse_args()
    wanted = {
        callback: _kinds(callback, options)
        for callback in callbacks()
        if (not options.methods or callback[2] in options.methods) and options.module in {None, callback[0]}
    }
    found = json.loads(options.out.read_text()) if options.out and options.out.exists() else {}
    judged(wanted, found, options.jobs, options.minutes, options.out)
    failed = [told(callback, each) for callback, each in sorted(found.items())]
    if left := sum(len(kinds) for _, kinds in pieces(wanted, found)):
        print(f"not judged: {left} of {sum(map(len, wanted.values()))}")
    sys.exit(any(failed))


def _kinds(callback, options):
    """Return the kinds of nonsense for one callback."""
    kinds = options.kind or list(KINDS)
    if options.sample is None:
        return kinds
    drawn = random.Random(f"{options.seed} {callback}")  # noqa: S311 - it is to be the same each time
    return drawn.sample(kinds, min(options.sample, len(kinds)))


if __name__ == "__main__":
    main()
