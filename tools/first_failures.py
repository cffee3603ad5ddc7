#!/usr/bin/env python3
"""Certify each witness, and write the first failure that the run shows to tests/data/first_failures.json.

python tools/first_failures.py [NAME ...] [--missing] [--jobs N]

Without a name it judges all witnesses, which takes half an hour. The site's page about detection
has a summary of the file.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tests are not an installed package

from tests.support import first_failures, matrix  # noqa: E402 - needs the line before


def chosen(names, kept):
    """Return the witnesses to judge, by their dotted names: those named, or all that are not in ``kept``."""
    known = {matrix.short(module): module for module in first_failures.modules()}
    unknown = set(names) - set(known)
    if unknown:
        sys.exit(f"there is no witness named {', '.join(sorted(unknown))}")
    return [known[name] for name in names or sorted(set(known) - set(kept))]


def updated(kept, fresh):
    """Return the earlier and the new entries, without witnesses that no longer exist."""
    names = {matrix.short(module) for module in first_failures.modules()}
    return {name: entry for name, entry in sorted({**kept, **fresh}.items()) if name in names}


def main():
    """Judge the witnesses; each entry is saved at once, so that an interrupted run loses nothing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these witnesses, without their package")
    parser.add_argument("--missing", action="store_true", help="only witnesses that the file does not have yet")
    parser.add_argument("--jobs", type=int, default=1, help="how many at a time (1)")
    options = parser.parse_args()
    kept = first_failures.load() if first_failures.FILE.exists() else {}
    modules, fresh, failed = chosen(options.names, kept if options.missing else ()), {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(first_failures.measured, module): matrix.short(module) for module in modules}
        for number, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            name, error = waiting[done], done.exception()
            if error:
                failed.append(name)
                print(f"{number}/{len(modules)} {name}: {type(error).__name__}: {error}", flush=True)
                continue
            fresh[name] = entry = done.result()
            summary = f"{entry['first'] or 'nothing'} for {entry['breaks']}, at {entry['at']}, {entry['lines']} lines"
            print(f"{number}/{len(modules)} {name}: {summary}", flush=True)
            first_failures.FILE.write_text(json.dumps(updated(kept, fresh), indent=1) + "\n")
    if failed:
        sys.exit(f"not judged, and left as they were: {', '.join(sorted(failed))}")


if __name__ == "__main__":
    main()
