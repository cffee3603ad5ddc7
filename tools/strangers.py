#!/usr/bin/env python3
"""Certify plugins of other authors as they are, and write the table of docs/contributing/strangers.md.

python tools/strangers.py FOLDER [NAME ...] [--level 5] [--timeout 900] [--jobs 1] [--device host] [--into FILE]
python tools/strangers.py --page [--add FILE ...]

It uses no network: FOLDER holds a copy of all files that ``tools/strangers.json`` lists. An entry there has no code.
It has the source, the licence, the command, and a person's remarks on its findings. The results of a run go to
``docs/contributing/strangers.json``, from which the page is made. ``--into`` writes another file for them, and leaves
the page alone. ``--add`` merges that file, so a machine with a GPU can do the work.
Seconds are CPU time, which a busy machine does not change.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

from harness.results.report import plugin_verdict

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = ROOT / "tools" / "strangers.json"
FOUND = ROOT / "docs" / "contributing" / "strangers.json"
PAGE = ROOT / "docs" / "contributing" / "strangers.md"
_HEAD = """# Plugins of other authors

Others wrote these plugins in Python. They were certified as they are, without a case and without an edit. The
column "typed" has the options after `pytest`. This repository has none of the code. `tools/strangers.py` reads copies
of the plugins from a folder, and fetches nothing. `tools/strangers.json` says where each plugin comes from.

Of {all} entries, {run} were run, and {judged} of these got a verdict on their plugins ({share} %). There were
{internal} internal errors. INCOMPLETE means that no whole case could be inferred. Then only the rules
that need no case judged the plugin. Of the findings, {looked_at} were compared with the plugin's source:
true: {true}, false: {false}.
Each row shows what this project found at the commit of its run:
{commits}. Run the script again before you rely on a row.

Entries with "program" in their name run a script of NVIDIA's or of another author. Then "verdict" has the verdict on
the plugins, and whether the script ran to its end: APP-001. Scripts run on the host device, also if a GPU judges their
plugins. "Stopped" means that the run reached the limit of its time, 240, 300 or 600 seconds.

The last column is from machines with one H100 or H200, CUDA 13, PyTorch 2.11 and CuPy 14.2. "Not measured" there has
two reasons. That machine lacked a package that the plugin needs, such as `cuda.cuda`. Or the run was stopped before it
judged most rules. The imports of `add_scalar` and ISymExprs leave threads, so their process cannot be forked. Most of
their runs were stopped.

| module | source | typed | verdict | rules that failed | seconds of CPU | on a GPU |
|---|---|---|---|---|---|---|"""
_NONE = "not measured"
#: The rule that a program runs to its end.
_PROGRAM = "APP-001"
#: The status of a run that reached the limit of its time. Rules that were not judged by then are in no count.
_STOPPED = "interrupted"
#: The characters of an internal error that are kept: its last lines.
_LONGEST = 1000
#: Findings of these verdicts are listed.
_LISTED = ("FAIL", "XPASS")


def certified(entry, folder, given):
    """Return what a run of pytest finds in one entry: plain data for the page."""
    with tempfile.TemporaryDirectory() as scratch:
        report, said = pathlib.Path(scratch) / "report.json", pathlib.Path(scratch) / "said.txt"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
        command += [f"--rootdir={folder}", f"--plugin-report=json:{report}", f"--plugin-level={given.level}"]
        command += [f"--plugin-device={given.device}", *entry["typed"]]
        paths = [str(ROOT), *(str(folder / each) for each in entry.get("path", ()))]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*paths, os.environ.get("PYTHONPATH", "")])}
        seconds = _seconds_of(command, said, given.timeout, cwd=folder / entry.get("folder", "."), env=environment)
        found = _of_report(json.loads(report.read_text())) if report.is_file() else {"verdict": _last_line(said)}
    return {**found, "level": given.level, "seconds": seconds}


def _seconds_of(command, said, timeout, **how):
    """Run a command, end it after the timeout, and return the CPU time that it and its children took."""
    with said.open("w") as output:
        started = subprocess.Popen(command, stdout=output, stderr=output, **how)  # noqa: S603 - what the manifest says
        ending = threading.Timer(
            timeout, started.terminate
        )  # as by the user: pytest writes the report, and its children end
        ending.start()
        _, status, used = os.wait4(started.pid, 0)
        ending.cancel()
        started.returncode = os.waitstatus_to_exitcode(status)
    return round(used.ru_utime + used.ru_stime)


def _last_line(said):
    text = said.read_text()
    lines = [line for line in text.splitlines() if line.startswith(("ERROR", "E  "))]
    return (lines or text.strip().splitlines() or ["nothing: its time was over"])[-1][:200]


def _of_report(report):
    """Return the plugins with their verdicts, the rules that failed, and whether any case is complete."""
    plugins = [each for each in report["plugins"] if each["interface"] != "application"]
    rules = [rule for each in report["plugins"] for rule in each["rules"]]
    imports = [module["violations"][0]["what"] for module in report["modules"] if module["violations"]]
    verdicts = [*sorted(set(map(plugin_verdict, plugins))), *(["stopped"] if report["status"] == _STOPPED else [])]
    return {
        "verdict": "; ".join(imports) if imports else ", ".join(verdicts),
        "judged": bool(plugins) and not imports,
        "plugins": len({plugin["key"] for plugin in plugins}),
        "program": next((rule["verdict"] for rule in rules if rule["id"] == _PROGRAM), ""),
        "failed": dict(sorted(_failed_rules(rules))),
        "counts": {
            name: sum(rule["verdict"] == name for rule in rules)
            for name in ("PASS", "WARN", "NOTE", "NOT-RUN", "BLOCKED")
        },
        "internal": len(report["internal_errors"]),
        "not_judged": [remark[-_LONGEST:] for remark in report.get("left_out") or () if " not judged: " in remark],
        "errors": [text[-_LONGEST:] for text in report["internal_errors"][:1]],
    }


def _failed_rules(rules):
    """Yield the rules that fail, with what they say, and the rules of higher levels that block a rule."""
    for rule in rules:
        if rule["verdict"] in _LISTED:
            first = (rule["violations"] or [{"what": rule["reason"], "where": ""}])[0]
            yield rule["id"], f"{first['what']}; {first['where']}"
        elif rule["verdict"] == "BLOCKED" and rule["fails"]:
            yield rule["blocked_by"], rule["reason"]


def page(manifest, found):
    """Return the page: a summary, and a row for each entry that was run."""
    rows = [(entry, found[entry["name"]]) for entry in manifest if found.get(entry["name"])]
    results = [result for _, each in rows for result in each.values()]
    judged = sum(any(result.get("judged") for result in each.values()) for _, each in rows)
    marks = [f"{entry['name']}, {mark}" for entry, each in rows for mark in _marks(entry, each)]
    lines = [_HEAD.format(
        run=len(rows),
        all=len(manifest),
        judged=judged,
        share=100 * judged // max(1, len(rows)),
        internal=sum(result.get("internal", 0) for result in results),
        commits=", ".join(sorted({result.get("commit") or "not noted" for result in results})),
        looked_at=len(marks),
        true=sum(", true: " in mark for mark in marks),
        false=sum(", false: " in mark for mark in marks),
    )]  # fmt: skip
    lines += [_row(entry, each) for entry, each in rows]
    lines += ["", "## Findings compared with the source", "", *(f"* {mark}" for mark in marks)] if marks else []
    left = [f"* {entry['name']}: {entry['source']}" for entry in manifest if not found.get(entry["name"])]
    lines += ["", "## What was not run", "", *left] if left else []
    return "\n".join(lines) + "\n"


def _marks(entry, found):
    """Return a person's verdicts on the rules that failed on any device."""
    failed = dict.fromkeys(rule for device in sorted(found, reverse=True) for rule in found[device].get("failed", ()))
    said = entry.get("said", {})
    return [f"{said[rule]['is']}: {rule}. {said[rule]['why']}" for rule in failed if rule in said]


def _row(entry, found):
    typed = " ".join(entry["typed"]).replace("|", "\\|")
    cells = [entry["name"], f"{entry['source']}, {entry['licence']}", f"`{typed}`"]
    host = found.get("host")
    cells += [_verdict(host), _failed(host), f"{host['seconds']} (level {host['level']})"] if host else [_NONE] * 3
    return f"| {' | '.join([*cells, _on_gpu(found.get('cuda'))])} |"


def _verdict(result):
    """Return the verdict on the plugins, and whether the program that uses them runs to its end."""
    program = f"; {_PROGRAM}: {result['program']}" if result.get("program") else ""
    return result["verdict"].replace("|", "\\|") + program


def _failed(result):
    return ", ".join(result.get("failed", ())) or "none"


def _on_gpu(result):
    if result is None:
        return _NONE
    return f"{_verdict(result)}; failed: {_failed(result)}; {result['seconds']} s (level {result['level']})"


def merged(found, more):
    """Return what was found, by entry and device, with more of it; results in both come from the later."""
    return {name: {**found.get(name, {}), **more.get(name, {})} for name in {**found, **more}}


def _run(given, manifest):
    """Certify what was asked for, and write down each result as soon as it exists."""
    writing = threading.Lock()

    def one(entry):
        result = {**certified(entry, given.folder.resolve(), given), "commit": given.commit}
        with writing:
            found = merged(_read(given.into), {entry["name"]: {given.device: result}})
            given.into.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
            print(entry["name"], json.dumps(result), flush=True)

    wanted = [entry for entry in manifest if not given.names or entry["name"] in given.names]
    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, wanted))


def _read(file):
    return json.loads(file.read_text()) if file.is_file() else {}


def _commit():
    said = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607 - git of the path
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return said.stdout.strip()


def main():
    """Run what was asked for, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--timeout", type=float, default=900)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--device", choices=("host", "cuda"), default="host")
    parser.add_argument("--into", type=pathlib.Path, default=FOUND, help="where results go")
    parser.add_argument("--commit", default=_commit(), help="the state of this project, where no git can say it")
    parser.add_argument("--page", action="store_true", help="only write the page")
    parser.add_argument("--add", nargs="*", type=pathlib.Path, default=(), help="results of another machine")
    given = parser.parse_args()
    manifest = json.loads(MANIFEST.read_text())
    if given.folder is not None and not given.page:
        _run(given, manifest)
    found = _read(FOUND)
    for file in given.add:
        found = merged(found, _read(file))
    if given.add:
        FOUND.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    if given.page or given.into == FOUND:
        PAGE.write_text(page(manifest, found))


if __name__ == "__main__":
    main()
