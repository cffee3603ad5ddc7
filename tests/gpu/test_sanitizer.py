"""compute-sanitizer on a real GPU finds what is wrong inside a kernel, and nothing in sound ones."""

import json

import pytest

from harness.process import compute_sanitizer
from tests.support.witnesses import named

pytest_plugins = ["pytester"]

TOOLS = "memcheck,initcheck,racecheck,synccheck"
WITNESSES = {
    "neighbor_with_the_weight_zero": "SAN-001",
    "output_added_with_the_weight_zero": "SAN-002",
    "partner_not_waited_for": "SAN-003",
    "mask_of_half_the_lanes": "SAN-004",
}


@pytest.fixture
def verdicts(pytester):
    """Certify a module by all tools, and return its verdicts by rule."""

    def certify(module):
        options = (f"--plugin-sanitizer={TOOLS}", "--plugin-select=SAN", "--plugin-report=json:report.json")
        pytester.runpytest_subprocess(f"--plugin-module={module}", "--plugin-device=cuda", *options)
        report = json.loads((pytester.path / "report.json").read_text())
        found = [rule for case in report["plugins"] for rule in case["rules"]]
        if any("Device not supported" in rule["reason"] for rule in found):
            pytest.skip("compute-sanitizer refuses this device")
        assert {rule["id"] for rule in found} == {"SAN-001", "SAN-002", "SAN-003", "SAN-004"}
        return {rule["id"]: rule["verdict"] for rule in found if rule["verdict"] != "PASS"}

    if compute_sanitizer.program_path() is None:
        pytest.skip("compute-sanitizer is not installed")
    return certify


@pytest.mark.parametrize("witness", WITNESSES)
def test_a_fault_inside_a_kernel_breaks_the_rule_of_one_tool(verdicts, witness):
    rule = WITNESSES[witness]
    assert verdicts(f"plugin_examples.faulty.sanitizing.{witness}") == {rule: "WARN" if rule == "SAN-002" else "FAIL"}


@pytest.mark.parametrize("module", [*map(named, ("bar", "raw_kernel", "in_place_add"))])
def test_a_sound_plugin_breaks_none(verdicts, module):
    assert verdicts(module) == {}
