"""The pictures of the lifecycles show what the tables hold."""

import xml.etree.ElementTree as ET

import pytest

from reference_runtime.calling.lifecycle.table import V2, Stage
from reference_runtime.calling.lifecycle.v3 import V3
from tools.pages import lifecycle_picture
from tools.pages.lifecycle_picture import TABLES, columns

SVG = "{http://www.w3.org/2000/svg}"


def drawn(name, kind):
    return list(ET.fromstring(lifecycle_picture.picture(name)).iter(f"{SVG}{kind}"))  # noqa: S314 - ours


@pytest.mark.parametrize("name", TABLES)
def test_there_is_a_box_for_each_stage_and_an_arrow_for_each_change(name):
    table = TABLES[name][1]
    living = [stage for stage in table.next if stage is not Stage.DESTROYED]
    changes = {
        (stage, after)
        for stage in living
        for after in table.next[stage].values()
        if after not in {stage, Stage.DESTROYED}
    }
    boxes = [each for each in drawn(name, "rect") if each.get("class") in {"box", "box run"}]
    assert len(boxes) == len(living)
    assert len(drawn(name, "path")) == len(changes) + len(columns(table))  # and one into each column


@pytest.mark.parametrize("name", TABLES)
def test_every_call_is_named(name):
    table = TABLES[name][1]
    text = " ".join("".join(each.itertext()) for each in drawn(name, "text"))
    calls = {call for legal in table.next.values() for call in legal}
    assert [call.value for call in calls if call.value not in text] == []


@pytest.mark.parametrize("name", TABLES)
def test_everything_lies_within_the_picture(name):
    (root,) = drawn(name, "svg")
    width, height = int(root.get("width")), int(root.get("height"))
    for box in drawn(name, "rect"):
        assert 0 <= float(box.get("x", 0)) <= float(box.get("x", 0)) + float(box.get("width")) <= width
        assert float(box.get("y", 0)) + float(box.get("height")) <= height


def test_stages_that_follow_each_other_are_one_column():
    assert [[stage.name for stage in column] for column in columns(V2)] == [
        ["CREATED", "CONFIGURED", "INITIALIZED", "READY", "TERMINATED"],
        ["ATTACHED", "RUNNING"],
    ]
    assert [len(column) for column in columns(V3)] == [8, 1], "what is attached in a build leads to both lines"
