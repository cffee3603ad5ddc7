"""Where cases are written, as messages about them say it."""

import pytest

from harness.child.discovery.case_places import places_of

TWO = """import numpy as np

PLUGIN_CASES = [
    {"plugin": "A"},

    {"plugin": "B"},
]
"""


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (TWO, ["mine_cases.py:4", "mine_cases.py:6"]),
        ("PLUGIN_CASES = [dict(plugin=name) for name in 'AB']", ["", ""]),
        ("FIRST = [{}]\nPLUGIN_CASES = [*FIRST, {}]", ["", ""]),
        ("PLUGIN_CASES = [{}]\nPLUGIN_CASES.append({})", ["", ""]),
        ("PLUGIN_CASES = [{}, {}", ["", ""]),
    ],
)
def test_cases_that_are_written_out_have_a_line_each(tmp_path, text, places):
    file = tmp_path / "mine_cases.py"
    file.write_text(text)
    assert places_of(file, 2) == places


def test_without_a_file_there_is_no_line():
    assert places_of(None, 1) == [""]
