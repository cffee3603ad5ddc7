"""The pages and tables that the site makes."""

import pathlib
import re

import pytest
from pages import generated, lifecycle_tables

from reference_runtime.calling.lifecycle.table import Stage

pytestmark = pytest.mark.new_rule

DOCS = pathlib.Path(__file__).parents[3] / "docs"


def test_the_committed_pages_are_those_that_the_code_makes():
    made = generated.pages_for_users()
    stale = [path for path, text in made.items() if (generated.ROOT / path).read_text() != text]
    assert stale == [], "run python tools/generate_pages.py"


@pytest.mark.parametrize("name", generated.PAGES)
def test_a_page_is_made(name):
    assert re.match(r"# .+\n\n", generated.PAGES[name]())


def test_each_table_has_its_place_on_a_page():
    texts = [file.read_text() for file in DOCS.rglob("*.md")]
    places = [name for text in texts for name in re.findall(r"^<!-- generated: (.+) -->$", text, re.MULTILINE)]
    assert sorted(places) == sorted(generated.TABLES)


@pytest.mark.parametrize("name", lifecycle_tables.TABLES)
def test_a_lifecycle_has_a_row_for_each_stage_and_names_each_call(name):
    life = lifecycle_tables.TABLES[name]
    text = generated.TABLES[f"lifecycle {name}"]()
    living = [stage for stage in life.next if stage is not Stage.DESTROYED]
    assert re.findall(r"^\| \*(.+?)\* \|", text, re.MULTILINE) == [stage.value for stage in living]
    calls = {call.value for legal in life.next.values() for call in legal}
    assert {call for call in calls if f"`{call}`" not in text} == set()
