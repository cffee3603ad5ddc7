"""Plugins that run their kernels on a GPU get the verdicts that they get on the host."""

import json

import pytest

from tests.support.witnesses import named

pytest_plugins = ["pytester"]


@pytest.fixture
def verdicts(pytester):
    """Certify a module on a device and return its verdicts by case and rule, and the exit status."""

    def certify(module, device, *options):
        result = pytester.runpytest_subprocess(
            f"--plugin-module={module}", f"--plugin-device={device}", "--plugin-report=json:report.json", *options
        )
        report = json.loads((pytester.path / "report.json").read_text())
        found = {(case["case"], rule["id"]): rule["verdict"] for case in report["plugins"] for rule in case["rules"]}
        return found, int(result.ret)

    return certify


@pytest.mark.parametrize("module", [*map(named, ("bar", "in_place_add", "multi_tactic", "shared_resource"))])
def test_a_sound_plugin_has_the_same_verdicts_on_both_devices(verdicts, module):
    on_host, on_gpu = (verdicts(module, device) for device in ("host", "cuda"))
    assert (on_host[1], on_gpu[1]) == (0, 0)
    assert on_gpu[0] == on_host[0]


@pytest.mark.parametrize("module", [*map(named, ("broadcast_add", "elementwise_add_qdp"))])
def test_the_calls_of_other_interfaces_can_be_captured(verdicts, module):
    found, status = verdicts(module, "cuda", "--plugin-select=ENQ-013,ENQ-014")
    assert status == 0
    assert set(found.values()) == {"PASS"}


@pytest.mark.parametrize(
    ("module", "rule"),
    [
        (named("enqueue_ignores_the_stream"), "ENQ-003"),
        (named("scratch_freed_while_in_use"), "ENQ-003"),
        (named("enqueue_synchronizes"), "ENQ-013"),
        (named("enqueue_allocates_scratch"), "WSP-010"),
    ],
)
def test_a_witness_is_caught(verdicts, module, rule):
    found, _ = verdicts(module, "cuda", f"--plugin-select={rule}")
    of_the_rule = {verdict for (_, each), verdict in found.items() if each == rule}
    assert of_the_rule
    assert of_the_rule <= {"FAIL", "WARN"}
