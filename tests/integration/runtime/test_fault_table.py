"""The measured fault table: what C++ gets from each broken member, what file descriptor 2 says, and what Python runs.

The data are those of ``data/trampolines.json``. ``LEFT_OUT`` has what is left out, and why;
docs/contributing/fault_table.md says it to readers.
"""

from __future__ import annotations

import os
import pathlib
import re
import tempfile
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.interfaces.pointers import POISON
from tests.support.runtime import argument_records, fault_driving, fault_driving_v3, fault_plugins
from tests.support.runtime.fault_lifetimes import SCRIPTS
from tests.support.runtime.fault_plugins import DATA, LOG
from tests.support.runtime.unordered_gate import UnorderedGate

pytestmark = pytest.mark.filterwarnings("ignore:coroutine:RuntimeWarning")

DELETES = "C++ deletes what it may only destruct: no Python code reaches that, and the runtime never does it"
LEFT_OUT = {
    ("IPluginV3", "lifetime", "create_clone_delete"): DELETES,
    ("IPluginV3", "lifetime", "python_keeps_reference_drop_delete"): DELETES,
    ("IPluginV3", "lifetime", "python_keeps_reference_attr_delete"): DELETES,
}
RUNTIME, V2 = "IPluginV3OneRuntime", "IPluginV2DynamicExt"
POISONED = f"tmp={bytes([POISON] * 12).hex()};"
TURNED = {
    (RUNTIME, "get_fields_to_serialize", "temporary_collection_temporary_arrays"): {"bytes_read_later": POISONED},
    (RUNTIME, "get_fields_to_serialize", "temporary_arrays_read_immediately"): {"bytes_read_immediately": POISONED},
    (V2, "get_serialization_size", "returns_int_5"): {"buffer": b"abc\xa5\xa5\xaa\xaa\xaa".hex()},
    (V2, "get_serialization_size", "too_large"): {"buffer": b"abc\xa5\xa5\xa5\xa5\xa5".hex()},
}
"""Cases that read freed memory, or memory beyond the data: what happened to lie there was measured, and differed from
run to run; here it is always poison."""


class Counter:
    """Counts the calls that go through a gate."""

    count = 0

    def before(self, _event):
        self.count += 1

    def after(self, _event, _outcome):
        """See nothing."""


@contextmanager
def file_descriptor_2():
    """What is written there, past sys.stderr."""
    text = []
    with tempfile.TemporaryFile() as file:
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield text
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            text += brief(file.read().decode())


def brief(text):
    """The lines, with a mark where a block of frames was."""
    text = re.sub(r"\n\nAt:\n(?:  .*\n)+", " @frames\n", text)
    refused = "incompatible function arguments"
    text = re.sub(rf"(TypeError: operation\(\): {refused}).*?(?=\n\[|\Z)", r"\1", text, flags=re.DOTALL)
    return [line for line in text.split("\n") if line]


@pytest.fixture(autouse=True)
def _empty_log():
    LOG.clear()
    yield
    LOG.clear()


class Case(NamedTuple):
    """One row of the table."""

    iface: str
    method: str
    fault: str
    code: str | None
    expected: Any
    said: list[str]
    called: list[Any]
    process: str

    @property
    def key(self):
        return self[:3]


CASES = [Case(*row) for row in DATA["faults"]]


INTERFACES = sorted({case.iface for case in CASES})


def judge_all(asked, cases):
    """Judge cases with ``asked(case)``, which returns what C++ does with it; tell all that are not as measured."""
    wrong = {}
    for case in cases:
        LOG.clear()
        try:
            judge(asked(case), case)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever it is belongs to this case
            wrong["-".join(case.key)] = error
    assert wrong == {}


def of_interface(iface):
    """Return an interface's broken methods: neither scripted nor attributes."""
    kept = [case for case in CASES if case.iface == iface and case.key not in LEFT_OUT]
    return [case for case in kept if not is_scripted(case) and not is_attribute(case)]


def is_scripted(case):
    return case.key in SCRIPTS


def is_attribute(case):
    return case.method.startswith("@")


def judge(ask, case):
    """Compare the answer, the text and the calls with what was measured."""
    gate = UnorderedGate(observers=[Counter()])
    if case.process != "survives":
        judge_crash(gate, ask, case)
        return
    with file_descriptor_2() as text:
        got = ask(gate)
    assert got == (case.expected | TURNED[case.key] if case.key in TURNED else case.expected)
    assert text == case.said
    assert bool(gate.failures) == is_a_failure(case)
    assert all(failure.what and failure.becomes.startswith(("TensorRT", "the ")) for failure in gate.failures)
    if case.iface != "IPluginV3QuickBuild":  # whose calls were counted, not noted
        assert argument_records.calls(case.called) == case.called


def is_a_failure(case):
    """Say whether the gate must have a record: of what is printed, of null pointers, of fields that are gone."""
    of_cpp = case.method == "order" and case.fault.startswith("getValidTactics")
    null = case.fault in {"returns_None", "calls_super_clone"} and "nullptr" in str(case.expected)
    gone = case.iface == RUNTIME and case.key in TURNED
    return gone or null or (bool(case.said) and not of_cpp)


def judge_crash(gate, ask, case):
    """Where the original dies there is one error, and what it had said until then."""
    with file_descriptor_2() as text, pytest.raises(NativeCrash):
        ask(gate)
    assert text == [line for line in case.said if line.startswith("[ERROR]")]


@pytest.mark.parametrize("iface", INTERFACES)
def test_broken_methods(iface):
    judge_all(asked_of_a_method, of_interface(iface))


def asked_of_a_method(case):
    target, ask = subject(case)
    return lambda gate: ask(gate, target)


def subject(case):
    """Make the object that has the fault, and say what C++ does with it."""
    if case.iface == "IPluginV2DynamicExt":
        cls, asks = fault_plugins.v2_class(), fault_driving.V2_ASKS
    elif case.iface == "IPluginV3QuickBuild":
        cls, asks = fault_plugins.quick_class(), {case.method: fault_driving.quick_combinations}
    elif case.iface == "IPluginResource":
        cls, asks = fault_plugins.resource_class(), fault_driving.RESOURCE_ASKS
    elif case.iface.startswith("IPluginCreator"):
        cls, asks = fault_plugins.creator_class(getattr(trt, case.iface), {}), fault_driving.CREATOR_ASKS
    else:
        build = trt.IPluginV3OneBuildV2 if case.iface.endswith("V2") else None
        cls, asks = fault_plugins.v3_class(build=build), fault_driving_v3.V3_ASKS
    return fault_plugins.spoiled(cls, case.method, case.fault, case.code)(), asks[case.method]


def test_wrong_orders_and_lifetimes():
    scripted = [case for case in CASES if case.key not in LEFT_OUT and is_scripted(case)]
    assert scripted
    judge_all(lambda case: SCRIPTS[case.key], scripted)


def test_broken_attributes():
    attributes = [case for case in CASES if case.key not in LEFT_OUT and is_attribute(case)]
    assert attributes
    judge_all(asked_of_an_attribute, attributes)


def asked_of_an_attribute(case):
    owner, name = getattr(trt, case.iface), case.method[1:]

    def ask(gate):
        target = fault_plugins.with_attribute(owner, name, case.fault, case.expected)
        if case.fault.startswith("C++ setPluginNamespace"):
            return fault_driving.set_namespace(gate, target, "fromcpp" if "fromcpp" in case.fault else None)
        return fault_driving.attribute(gate, target, owner, name)

    return ask


def test_every_measured_fault_is_judged_or_left_out_with_a_reason():
    keys = {case.key for case in CASES}
    assert len(keys) == len(CASES) == 852
    assert set(LEFT_OUT) | set(SCRIPTS) | set(TURNED) <= keys
    assert all(LEFT_OUT.values())


def test_the_arguments_are_those_that_were_measured():
    wrong = {}
    for iface, io, method, positional in DATA["arguments"]:
        LOG.clear()
        received = argument_records.received_by(iface, int(io[0]), method, positional)
        if received != positional:
            wrong[iface, io, method] = (received, positional)
    assert DATA["arguments"]
    assert wrong == {}


def test_the_page_tells_what_is_left_out_and_what_is_turned():
    page = (pathlib.Path(__file__).parents[3] / "docs" / "contributing" / "fault_table.md").read_text()
    assert all(" ".join(key) in page for key in LEFT_OUT)
    crashes = [case for case in CASES if case.process != "survives" and case.key not in LEFT_OUT]
    exact = len(CASES) - len(crashes) - len(TURNED) - len(LEFT_OUT)
    assert [int(number) for number in re.findall(r"\| (\d+) \|", page)] == [
        exact,
        len(TURNED),
        len(crashes),
        len(LEFT_OUT),
    ]
    assert all(key[2] in page for key in TURNED)
