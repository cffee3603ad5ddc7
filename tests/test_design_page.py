"""The page for the next developer: it names every module of the reference runtime."""

from __future__ import annotations

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[1]
PAGE = (ROOT / "docs/design.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("## reference_runtime")[2].partition("### ")[0]


def test_the_table_names_the_modules_that_there_are_and_no_others():
    entries = [entry for entry in (ROOT / "reference_runtime").iterdir() if entry.is_dir() or entry.suffix == ".py"]
    there = {f"{entry.name}/" if entry.is_dir() else entry.stem for entry in entries if not entry.name.startswith("__")}
    rows = "\n".join(re.findall(r"^\|[^|]+\|(.*)\|$", TABLE, re.MULTILINE))
    named = re.findall(r"`([\w/]+)`", rows)
    assert sorted(named) == sorted({*there, "assembly"})
