"""Plugins that run their kernels on a GPU get the verdicts that they get on the host."""

import json

import pytest

pytest_plugins = ["pytester"]

#: Verdicts that may be another on a GPU, and why.
MEANT = {
    "ENQ-014": "only a GPU captures CUDA graphs",
}


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


@pytest.mark.parametrize("name", ["bar", "in_place_add", "multi_tactic", "shared_resource"])
def test_a_sound_plugin_has_the_same_verdicts_on_both_devices(verdicts, name):
    on_host, on_gpu = (verdicts(f"plugin_examples.{name}", device) for device in ("host", "cuda"))
    assert (on_host[1], on_gpu[1]) == (0, 0)
    different = {key for key in on_gpu[0] if on_gpu[0][key] != on_host[0][key]}
    assert {rule for _, rule in different} <= set(MEANT)


@pytest.mark.parametrize("name", ["broadcast_add", "elementwise_add_qdp"])
def test_the_calls_of_other_interfaces_can_be_captured(verdicts, name):
    found, status = verdicts(f"plugin_examples.{name}", "cuda", "--plugin-select=ENQ-013,ENQ-014")
    assert status == 0
    assert set(found.values()) == {"PASS"}


@pytest.mark.parametrize(
    ("witness", "rule"),
    [
        ("enqueue_ignores_the_stream", "ENQ-003"),
        ("scratch_freed_while_in_use", "ENQ-003"),
        ("enqueue_synchronizes", "ENQ-013"),
        ("enqueue_allocates_scratch", "WSP-010"),
    ],
)
def test_a_witness_is_caught(verdicts, witness, rule):
    found, _ = verdicts(f"plugin_examples.faulty.{witness}", "cuda", f"--plugin-select={rule}")
    assert {found[key] for key in found if key[1] == rule} <= {"FAIL", "WARN"}
    assert found
