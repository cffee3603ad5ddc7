"""The rules of initialize and terminate where no witness looks: failures that are hushed up, and sound ways out."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG001

import pytest

from conformance.rules import initialization
from harness.contract.verdict import Kind


@pytest.fixture
def judged(sound, subject_of, judge):
    """Return ``judged(rule, class body)``: the answer for ``TableScale`` with some methods replaced."""

    def ask(rule, **methods):
        plugin_class = type("Plugin", (sound.table.TableScale,), methods)
        return judge(rule, subject_of(sound.scale.ScaleCreator, plugin_class, *sound.scale.SCALE_CASES))

    return ask


def test_a_failure_that_is_hushed_up_is_found(judged, sound):
    def initialize(self):
        try:
            sound.table.TableScale.initialize(self)
        except RuntimeError:
            self.table = None

    answer = judged(initialization.failure_to_initialize_is_raised, initialize=initialize)
    assert [violation.what for violation in answer.violations] == ["initialize failed without an exception"]


def test_doing_without_the_memory_is_no_failure(judged, sound):
    def initialize(self):
        try:
            sound.table.TableScale.initialize(self)
        except RuntimeError:
            self.table = None

    def compute(self, x, y):
        y[...] = x * x.dtype.type(self.factor) if self.table is None else x * self.table.array()

    answer = judged(initialization.failure_to_initialize_is_raised, initialize=initialize, compute=compute)
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)


def test_an_initialize_that_raises_is_reported_by_its_owner(judged):
    def initialize(self):
        raise OSError("no such file")

    answer = judged(initialization.failure_to_initialize_is_raised, initialize=initialize)
    assert [violation.what for violation in answer.violations] == ["initialize raised OSError: no such file"]


def test_a_second_initialize_that_raises_is_another_cycle(judged, sound):
    def initialize(self):
        if self.__dict__.setdefault("done", False):
            raise RuntimeError("already initialized")
        self.done = True
        sound.table.TableScale.initialize(self)

    answer = judged(initialization.the_cycle_can_be_repeated, initialize=initialize)
    assert answer.violations[0].observed == "initialize raised RuntimeError: already initialized"


def test_queries_that_fail_before_initialize_and_work_after_it_are_found(judged):
    def get_output_datatype(self, index, input_types):
        self.table.array()
        return input_types[0]

    answer = judged(initialization.queries_need_no_initialization, get_output_datatype=get_output_datatype)
    assert answer.kind is Kind.MET  # the owner of get_output_datatype reports what fails on any fresh object


def test_memory_that_is_allocated_once_for_all_objects_is_no_leak(judged, sound):
    kept = []

    def initialize(self):
        if not kept:
            kept.append(sound.table.DeviceTable([1.0]))
        sound.table.TableScale.initialize(self)

    answer = judged(initialization.terminate_releases_what_initialize_acquired, initialize=initialize)
    assert (answer.kind, answer.broken) == (Kind.JUDGED, 0)
