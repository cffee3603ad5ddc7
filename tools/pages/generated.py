"""Make the pages and tables that are generated from the code and from measurements.

Pages for contributors exist only on the site: MkDocs builds those of `PAGES`. Users also read their pages on the code
host. So `COMMITTED` and the tables in `TABLES` are committed, and a test compares them. A table is between the lines
``<!-- generated: NAME -->`` and ``<!-- end -->`` of a page.
"""

import ast
import functools
import json
import pathlib
import re

from pages import (
    checks_page,
    coverage_page,
    detection_page,
    first_failures_section,
    kill_matrix_page,
    lifecycle_tables,
    mutation_tables,
    parity_page,
    real_bugs_page,
    trace_page,
)

from harness.contract import catalogue
from harness.contract.explaining.real_bugs import real_bugs as all_bugs
from harness.mutation.operators.catalogue import OPERATORS
from tests.support import first_failures

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
    """Return ``contributing/kill_matrix.md``."""
    nvidias = json.loads((DATA / "nvidias_matrix.json").read_text())
    return kill_matrix_page.page(kill_matrix(), nvidias, list(catalogue.load().rules), FAMILIES)


def coverage():
    """Return ``contributing/contract_coverage.md``."""
    contract = json.loads((DATA / "contract.json").read_text())
    excused = coverage_page.reasons((ROOT / "docs" / "contributing" / "excused_rules.md").read_text())
    return coverage_page.page(contract, FAMILIES, catalogue.load().rules, kill_matrix(), excused)


def detection():
    """Return the data of the detection power, which tools/detection_power.py writes."""
    return json.loads((DATA / "detection.json").read_text())


def detection_text():
    """Return ``contributing/detection.md``."""
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


def real_bugs():
    """Return ``docs/real_bugs.md``."""
    return real_bugs_page.page(all_bugs())


PAGES = {
    "contributing/checks.md": checks_page.page,
    "contributing/api_parity.md": parity_page.page,
    "contributing/kill_matrix.md": kill_matrix_text,
    "contributing/contract_coverage.md": coverage,
    "contributing/detection.md": detection_text,
}
COMMITTED = {"docs/real_bugs.md": real_bugs}
TABLES = {
    **{
        f"lifecycle {name}": functools.partial(lifecycle_tables.table, table)
        for name, table in lifecycle_tables.TABLES.items()
    },
    **{f"calls {kind}": functools.partial(trace_page.table, kind) for kind in trace_page.BASIS},
}
TABLE = re.compile(r"^<!-- generated: ([\w ]+) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL)


def with_tables(text):
    """Return the text of a page with its generated tables."""
    return TABLE.sub(lambda place: f"<!-- generated: {place[1]} -->\n\n{TABLES[place[1]]()}\n\n<!-- end -->", text)


def pages_for_users():
    """Return the committed pages that are generated, or have generated tables: ``{path: text}``."""
    texts = {str(file.relative_to(ROOT)): file.read_text() for file in sorted((ROOT / "docs").rglob("*.md"))}
    with_some = {path: with_tables(text) for path, text in texts.items() if TABLE.search(text)}
    return {path: make() for path, make in COMMITTED.items()} | with_some
