"""What a call costs beyond its time."""

import os
import pathlib

import pytest

from harness.checks.observation.resource_use import costs_of, lasting_costs, lasting_work
from reference_runtime.bridges import cupy as cp
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


@pytest.fixture(name="subject")
def a_subject():
    subject = running(Creator(lambda _: Doubler()))
    with use(subject.device):
        yield subject


def test_device_memory_files_and_compilation_are_costs(subject):
    def work():
        cp.cuda.runtime.malloc(16)
        cp.cuda.runtime.malloc(32)
        pathlib.Path(__file__).read_bytes()
        compile("1", "nowhere", "eval")

    assert costs_of(subject, work) == {
        "allocation": "allocates 16 bytes of device memory",
        "open": f"opens {__file__}",
        "compile": "compiles Python code",
    }


def test_what_a_pool_gives_and_what_is_freed_is_no_cost(subject):
    address = cp.cuda.runtime.malloc(16)

    def work():
        cp.zeros(4)
        cp.cuda.runtime.free(address)

    assert costs_of(subject, work) == {}


def test_what_only_the_first_calls_cost_does_not_last(subject):
    calls = []

    def work():
        calls.append(len(calls))
        if len(calls) < 4:
            cp.cuda.runtime.malloc(16)
        pathlib.Path(__file__).read_bytes()

    assert lasting_costs(subject, work) == [f"opens {__file__}"]


def test_nothing_is_heard_outside(subject):
    heard = costs_of(subject, lambda: None)
    pathlib.Path(__file__).read_bytes()
    assert heard == {}


def test_work_on_the_device_and_looks_into_folders_are_work_beside_the_costs(subject):
    numbers = cp.zeros(4)

    def work():
        numbers.fill(1)
        os.listdir(".")  # noqa: PTH208 - that is what is reported

    assert lasting_work(subject, work) == ["works on 32 bytes of device memory", "looks into the folder ."]
    assert lasting_costs(subject, work) == []
