"""Write contributing/checks.md: the purpose of each folder of harness/checks, and its modules."""

import ast
import pathlib

CHECKS = pathlib.Path(__file__).resolve().parents[2] / "harness" / "checks"


def page():
    """Return the page, from the first line of each docstring."""
    folders = [file.parent for file in sorted(CHECKS.glob("*/__init__.py"))]
    lines = [
        "# Checks",
        "",
        "A rule judges; a check only observes. `harness/checks/` has the observations that several rules share, and",
        "mechanisms that are too long for a rule.",
        "",
        "| folder | purpose |",
        "|---|---|",
        *(f"| [`{folder.name}`](#{folder.name}) | {_purpose(folder / '__init__.py')} |" for folder in folders),
    ]
    for folder in folders:
        lines += ["", f"## {folder.name}", ""]
        modules = (file for file in sorted(folder.glob("*.py")) if file.name != "__init__.py")
        lines += [f"* `{file.stem}`: {_purpose(file)}" for file in modules]
    return "\n".join(lines) + "\n"


def _purpose(file):
    """Return the first line of a module's docstring."""
    return ast.get_docstring(ast.parse(file.read_text())).partition("\n")[0].replace("``", "`").replace("|", "\\|")
