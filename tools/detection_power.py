#!/usr/bin/env python3
"""Search each witness of a fuzz rule with many seeds, and write the results to tests/data/detection.json.

python tools/detection_power.py [NAME ...] [--seeds 100] [--jobs 2]

Without a name it searches all witnesses, which takes minutes. The site has a page that is made from
the file.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tests are not an installed package

from tests.support import detection  # noqa: E402 - needs the line before


def chosen(names):
    """Return the witnesses to search, by their dotted names."""
    known = {detection.short(module): module for module in detection.modules()}
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"no witness of a fuzz rule is named {', '.join(sorted(unknown))}")
    return [known[name] for name in names or sorted(known)]


def updated(kept, fresh):
    """Return the earlier and the new entries, without witnesses that no longer exist."""
    names = sorted(map(detection.short, detection.modules()))
    entries = {**kept, **fresh}
    return {name: entries[name] for name in names if name in entries}


def measured(modules, seeds, jobs):
    """Yield the name and the entry of each witness when it is done; each is searched in a separate process."""
    spawning = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=spawning) as pool:
        waiting = {pool.submit(detection.measured, module, range(seeds)): module for module in modules}
        for done in concurrent.futures.as_completed(waiting):
            yield detection.short(waiting[done]), done.result()


def main():
    """Search the named witnesses; each entry is saved at once, so that an interrupted run loses nothing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these witnesses, without their package")
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds, from 0 on (100)")
    parser.add_argument("--jobs", type=int, default=2, help="how many witnesses at a time (2)")
    options = parser.parse_args()
    kept, fresh = detection.load() if detection.FILE.exists() else {}, {}
    modules = chosen(options.names)
    for number, (name, entry) in enumerate(measured(modules, options.seeds, options.jobs), 1):
        soon = f"after {entry['mean']} examples" if entry["found"] else "never"
        print(f"{number}/{len(modules)} {name}: {entry['rule']} {entry['found']}/{entry['seeds']}, {soon}", flush=True)
        fresh[name] = entry
        detection.FILE.write_text(json.dumps(updated(kept, fresh), indent=1) + "\n")


if __name__ == "__main__":
    main()
