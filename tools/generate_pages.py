#!/usr/bin/env python3
"""Write the pages that are generated from the code; ``--check`` prints the stale pages, and writes nothing.

python tools/generate_pages.py [--check]
"""

import argparse
import ast
import functools
import itertools
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))  # tests are not an installed package

from pages import (
    checks_page,
    cost_picture,
    coverage_page,
    detection_page,
    detection_picture,
    first_failures_section,
    kill_matrix_page,
    kill_matrix_picture,
    lifecycle_picture,
    mutation_tables,
    parity_page,
    real_bugs_page,
    trace_page,
    trace_picture,
)

from harness.contract import catalogue
from harness.contract.explaining.real_bugs import real_bugs as all_bugs
from harness.contract.extra_tools import ALL
from harness.controller.fuzz.budget import Budget
from harness.mutation.operators.catalogue import OPERATORS
from tests.support import first_failures

ROOT = pathlib.Path(__file__).resolve().parent.parent
WITNESSES = ROOT / "plugin_examples" / "faulty"
DATA = ROOT / "tests" / "data"
FAMILIES = {
    "ID": "Identity and mandatory attributes",
    "CRE": "Creators",
    "REG": "Plugin registry",
    "PFD": "Plugin fields",
    "CAP": "Capabilities of an IPluginV3",
    "OUT": "Output count and types",
    "SHP": "Output shapes",
    "FMT": "Format and type negotiation",
    "CFG": "Configuration",
    "TAC": "Tactics, timing cache and metadata",
    "WSP": "Workspace",
    "INI": "initialize and terminate",
    "CLN": "Cloning",
    "SER": "Serialization",
    "ENQ": "Execution",
    "DST": "Destruction and leaks",
    "THR": "Threads",
    "ALI": "Aliased inputs and outputs",
    "RES": "Shared resources and resource contexts",
    "APP": "Applications as a whole",
    "CTX": "Execution contexts, as applications use them",
    "OA": "Output allocators",
    "NET": "Plugins in networks",
    "REF": "The reference runtime itself",
    "V2L": "Implicit-batch interfaces",
    "QDP": "Decorated plugins",
    "NAT": "Plugins in C++",
    "FUZ": "Generated shapes and sequences, between the corners",
}

#: Families that are part of a run only with an option.
WITH_AN_OPTION = {
    "SAN": "Inside kernels, with --plugin-sanitizer",
    "GEN": "What NVIDIA's builder says, with --plugin-runtime",
}


def rules_page():
    """Return ``conformance/RULES.md``: every rule with its severity, source and witnesses."""
    rules, titles = catalogue.load(ALL).rules, {**FAMILIES, **WITH_AN_OPTION}
    witnesses = witnesses_by_rule()
    lines = [
        "# Rules",
        "",
        "<!-- made by tools/generate_pages.py from conformance/rules and plugin_examples/faulty -->",
        "",
        "The rules of the TensorRT plugin contract, each with its source in TensorRT. Each rule has witnesses: faulty",
        "plugins that it detects, in the folder of their family in `plugin_examples/faulty/`. The table does not name",
        "the witnesses of NAT, which are in C++ (`plugin_examples/faulty/native/`).",
    ]
    for family, group in itertools.groupby(rules.values(), key=lambda rule: rule.family):
        lines += ["", f"## {family}: {titles[family]}", "", "| rule | severity | requirement | source | witnesses |"]
        lines += ["|---|---|---|---|---|"]
        lines += [row(rule, witnesses.get(rule.id, [])) for rule in group]
    return "\n".join(lines) + "\n"


def row(rule, witnesses):
    """Return one row of a family's table."""
    named = ", ".join(f"`{name}`" for name in witnesses)
    requirement = rule.requirement.replace("|", "\\|").replace("``", "`")
    severity = "; ".join(
        [rule.severity.value, *(f"{spec}: {rule.severity_at(spec).value}" for spec in rule.source.softer)]
    )
    return f"| {rule.id} | {severity} | {requirement} | {rule.source} | {named} |"


def witnesses_by_rule():
    """Return the witnesses by the rule that they declare to break."""
    by_rule = {}
    for witness, rule in assigned("BREAKS").items():
        by_rule.setdefault(rule, []).append(witness)
    return by_rule


def witness_files():
    """Return the file of each witness, by its name, sorted."""
    return {file.stem: file for file in sorted(WITNESSES.glob("*/*.py"), key=lambda file: file.stem)}


def assigned(name):
    """Return the values that witnesses assign to a variable, by witness; the witnesses are not imported."""
    return {
        file.stem: ast.literal_eval(node.value)
        for file in witness_files().values()
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name
    }


def kill_matrix():
    """Return the data of the kill matrix, which tools/kill_matrix.py writes."""
    return json.loads((DATA / "kill_matrix.json").read_text())


def kill_matrix_text():
    """Return ``docs/contributing/kill_matrix.md``."""
    nvidias = json.loads((DATA / "nvidias_matrix.json").read_text())
    return kill_matrix_page.page(kill_matrix(), nvidias, list(catalogue.load().rules), FAMILIES)


def kill_matrix_drawing():
    """Return ``docs/contributing/kill_matrix.svg``."""
    return kill_matrix_picture.picture(kill_matrix(), list(catalogue.load().rules))


def coverage():
    """Return ``docs/contributing/contract_coverage.md``."""
    contract = json.loads((DATA / "contract.json").read_text())
    excused = coverage_page.reasons((ROOT / "docs" / "contributing" / "excused_rules.md").read_text())
    return coverage_page.page(contract, FAMILIES, catalogue.load().rules, kill_matrix(), excused)


def detection():
    """Return the data of the detection power, which tools/detection_power.py writes."""
    return json.loads((DATA / "detection.json").read_text())


def detection_text():
    """Return ``docs/contributing/detection.md``."""
    measured, files = detection(), witness_files()
    sources = {name: ast.parse(files[name].read_text()) for name in measured}
    defects = {name: ast.get_docstring(source).partition("\n")[0] for name, source in sources.items()}
    planted = mutation_tables.section(_data("mutations"), OPERATORS, _data("mutation_reasons"))
    first = first_failures_section.section(_data("first_failures"), len(first_failures.modules()))
    return detection_page.page(measured, defects, assigned("SELDOM"), [*planted, *first])


def _data(name):
    """Return the content of a file in tests/data; empty if the file is missing."""
    file = DATA / f"{name}.json"
    return json.loads(file.read_text()) if file.exists() else {}


def detection_drawing():
    """Return ``docs/contributing/detection.svg``."""
    return detection_picture.picture(detection_page.ordered(detection()), Budget().examples)


def real_bugs():
    """Return ``docs/real_bugs.md``."""
    return real_bugs_page.page(all_bugs())


def cost_drawing():
    """Return ``docs/contributing/performance.svg``; benchmarks/bench_certify.py measures its data."""
    return cost_picture.picture(json.loads((DATA / "certificate_cost.json").read_text()))


PAGES = {
    "conformance/RULES.md": rules_page,
    "docs/contributing/checks.md": checks_page.page,
    "docs/contributing/api_parity.md": parity_page.page,
    "docs/contributing/kill_matrix.md": kill_matrix_text,
    "docs/contributing/kill_matrix.svg": kill_matrix_drawing,
    "docs/contributing/contract_coverage.md": coverage,
    "docs/contributing/detection.md": detection_text,
    "docs/contributing/detection.svg": detection_drawing,
    "docs/real_bugs.md": real_bugs,
    "docs/contributing/performance.svg": cost_drawing,
    **{
        f"docs/lifecycle_{name}.svg": functools.partial(lifecycle_picture.picture, name)
        for name in lifecycle_picture.TABLES
    },
    "docs/what_happens_when.md": trace_page.page,
    **{
        f"docs/what_happens_when_{kind}.svg": functools.partial(trace_picture.picture, kind)
        for kind in trace_page.BASIS
    },
}


def main():
    """Write the pages, or print the stale ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is stale")
    options = parser.parse_args()
    stale = []
    for name, make in PAGES.items():
        page, text = ROOT / name, make()
        if not page.exists() or page.read_text() != text:
            stale.append(name)
            if not options.check:
                page.write_text(text)
    if options.check and stale:
        sys.exit(f"stale: {', '.join(stale)}; run: python tools/generate_pages.py")


if __name__ == "__main__":
    main()
