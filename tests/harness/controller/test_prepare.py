"""--plugin-runtime: what is installed decides what auto is, and what is missing is a usage error."""

import platform

import pytest

from harness.config.errors import UsageError
from harness.config.options import RuntimeChoice
from harness.controller.prepare import _builder
from harness.process.nvidia_packages import RTX, TENSORRT, NvidiaPackage, of_choice


@pytest.fixture
def installed(monkeypatch):
    """Say whether NVIDIA's packages are installed, on which processor."""

    def pretend(*, there, machine="x86_64"):
        monkeypatch.setattr(NvidiaPackage, "is_installed", lambda _: there)
        monkeypatch.setattr(platform, "machine", lambda: machine)

    return pretend


def test_the_reference_runtime_needs_no_package(installed):
    installed(there=False)
    assert _builder(RuntimeChoice.REFERENCE) is RuntimeChoice.REFERENCE
    assert of_choice(RuntimeChoice.REFERENCE.value) is None


@pytest.mark.parametrize(("there", "found"), [(True, RuntimeChoice.RTX), (False, RuntimeChoice.REFERENCE)])
def test_auto_is_what_is_installed(installed, there, found):
    installed(there=there)
    assert _builder(RuntimeChoice.AUTO) is found


def test_a_package_that_is_missing_is_a_usage_error_with_the_command(installed):
    installed(there=False)
    with pytest.raises(UsageError, match=r"^--plugin-runtime=rtx: .*: pip install 'pytest-trt-conformance\[rtx\]'$"):
        _builder(RuntimeChoice.RTX)
    with pytest.raises(UsageError, match=r"^--plugin-runtime=tensorrt: .*: pip install tensorrt onnx$"):
        _builder(RuntimeChoice.TENSORRT)


def test_where_there_is_no_wheel_rules_say_so(installed):
    installed(there=False, machine="aarch64")
    assert _builder(RuntimeChoice.RTX) is RuntimeChoice.RTX
    assert _builder(RuntimeChoice.AUTO) is RuntimeChoice.REFERENCE


def test_packages_are_those_of_the_options():
    assert of_choice(RuntimeChoice.RTX.value) is RTX
    assert of_choice(RuntimeChoice.TENSORRT.value) is TENSORRT
