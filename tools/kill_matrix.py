#!/usr/bin/env python3
"""Judge the witnesses, near misses and examples, and write the results to tests/data/kill_matrix.json.

python tools/kill_matrix.py [NAME ...] [--missing] [--sound] [--rule ID] [--jobs N]

Without a name it judges all, which takes minutes. Without a GPU, the entries of witnesses that need one do not change.
With a rule it judges the rule's witnesses, its near misses and the correct plugins by that rule alone. That takes
seconds. The site has pages that are made from the file.
"""

import argparse
import concurrent.futures
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # tests are not an installed package

from harness.contract import catalogue  # noqa: E402 - needs sys.path
from harness.process import gpus  # noqa: E402 - as above
from tests.support import matrix  # noqa: E402 - as above


def chosen(options, kept):
    """Return the modules to judge: ``{dotted name: kind}``."""
    modules = matrix.modules()
    unknown = set(options.names) - {matrix.short(module) for module in modules}
    if unknown:
        sys.exit(f"there is no witness, near miss or example named {', '.join(sorted(unknown))}")
    if not gpus.usable():
        modules = {module: kind for module, kind in modules.items() if not matrix.needs_gpu(module)}
    if not (options.names or options.missing or options.sound):
        relevant = matrix.that_matter(options.rule) if options.rule else modules
        return {module: kind for module, kind in modules.items() if module in relevant}
    return {
        module: kind
        for module, kind in modules.items()
        if matrix.short(module) in options.names
        or (options.missing and matrix.short(module) not in kept[kind])
        or (options.sound and kind != "witnesses")
    }


def updated(kept, fresh):
    """Return the matrix with new entries (``{module: entry}``), and without modules that no longer exist."""
    modules = matrix.modules()
    entries = {kind: {} for kind in matrix.KINDS}
    for module in sorted(modules, key=matrix.short):
        kind, name = modules[module], matrix.short(module)
        entry = fresh.get(module, kept[kind].get(name))
        if entry is not None:
            entries[kind][name] = entry
    return entries


def judged(modules, rule, jobs):
    """Yield ``(module, entry, error)`` for each module when it is judged, in a separate process for each."""
    rules = [rule] if rule else None
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(matrix.measured, module, kind, rules): module for module, kind in modules.items()}
        for done in concurrent.futures.as_completed(waiting):
            error = done.exception()
            yield waiting[done], None if error else done.result(), error


def write(entries):
    """Write the matrix."""
    matrix.FILE.parent.mkdir(exist_ok=True)
    matrix.FILE.write_text(json.dumps(entries, indent=1) + "\n")


def main():
    """Judge the modules; each entry is saved at once, so that an interrupted run loses nothing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these modules, without their package")
    parser.add_argument("--missing", action="store_true", help="only modules that the file does not have yet")
    parser.add_argument("--sound", action="store_true", help="only near misses and examples")
    parser.add_argument("--rule", metavar="ID", help="judge by this rule alone; what others showed is kept")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time (2)")
    options = parser.parse_args()
    if options.rule and options.rule not in catalogue.load().rules:
        parser.error(f"there is no rule {options.rule}")
    kept = {kind: {} for kind in matrix.KINDS} | (matrix.load() if matrix.FILE.exists() else {})
    modules, fresh, failed = chosen(options, kept), {}, []
    write(updated(kept, fresh))
    for number, (module, entry, error) in enumerate(judged(modules, options.rule, options.jobs), 1):
        outcome = f"{type(error).__name__}: {error}" if error else ", ".join(entry["shows"]) or "nothing"
        print(f"{number}/{len(modules)} {module}: {outcome}", flush=True)
        if error:
            failed.append(matrix.short(module))
        else:
            before = kept[modules[module]].get(matrix.short(module), {})
            fresh[module] = matrix.renewed(before, entry, options.rule) if options.rule else entry
            write(updated(kept, fresh))
    if failed:
        sys.exit(f"not judged, and left as they were: {', '.join(sorted(failed))}")


if __name__ == "__main__":
    main()
