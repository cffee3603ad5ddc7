"""The page that describes the format of plans, against the code."""

from __future__ import annotations

import json
import pathlib
import re

from reference_runtime import operations, plan
from reference_runtime.plan import container
from reference_runtime.shapes.tensor_facts import MOST_VALUES
from reference_runtime.values import checked_json
from tests.support.runtime.plans import PLANS
from tools.pages import plan_example

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "contributing" / "plan_format.md"


def test_the_example_is_current():
    assert plan_example.page() == PAGE.read_text(), "run: python tools/generate_pages.py"


def test_the_example_can_be_read_back_from_the_page():
    dump = PAGE.read_text().partition("<!-- generated: bytes -->")[2]
    lines = re.findall(r"^[0-9a-f]{6}  ((?:[0-9a-f]{2} ?){1,16})", dump, re.MULTILINE)
    data = bytes.fromhex("".join(lines))
    assert data == plan_example.example()
    assert plan.read(data).layers[0].payload == b"factor=2"


def rows():
    found, record = {}, ""
    for first, key in re.findall(r"^\| (\w*) ?\| `(\w+)` \|", PAGE.read_text(), re.MULTILINE):
        record = first or record
        found.setdefault(record, []).append(key)
    return found


def records(made):
    """A record of each kind, as it stands in the metadata."""
    metadata = json.loads(container.unpack(plan.write(made))[0])
    layer = metadata["layers"][0]
    yield from [("plan", metadata), ("tensor", metadata["tensors"][0]), ("layer", layer)]
    yield from [("description", layer["chosen"][0]), ("traits", metadata["traits"])]
    yield from [("profile", metadata["profiles"][0]), ("plugin", layer["plugin"]), ("field", layer["fields"][0])]


def test_the_table_has_every_key_of_every_record():
    documented = rows()
    compiled = json.loads(container.unpack(plan.write(PLANS["compiled"]))[0])["layers"][0]
    for name, record in [*records(PLANS["v3"]), ("kernel", compiled["kernel"])]:
        optional = {"kernel"} if name == "layer" else set()
        assert documented.pop(name) == sorted({*record, *optional}), name
    assert documented == {}


def test_the_limits_on_the_page_are_the_codes():
    text = PAGE.read_text()
    for limit in (
        container.MAX_METADATA,
        container.MAX_BLOBS,
        container.MAX_BLOB,
        checked_json.MAX_TEXT,
        checked_json.MAX_ITEMS,
        MOST_VALUES,
    ):
        assert f"{limit:,}" in text
    assert f"version: {plan.VERSION}" in text
    assert f"at most {plan.MEMORY} bytes of memory" in text
    assert f"at most {checked_json.MAX_NESTING} deep" in text


def test_every_kind_of_operation_can_stand_in_a_plan():
    assert all(hasattr(cls, "to_plain") for cls in operations.KINDS.values())
