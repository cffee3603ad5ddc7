"""What plugins of other fields hand on to their clones and to what is made of their data."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.lifecycle.heirs import cloned, heirs_of_others, original_of, remade
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

CASE = Case(plugin="P", fields={"factor": np.array([2.0], np.float32)}, inputs=({"dims": (2, 3)},))


class Keeping(Doubler):
    def __init__(self, factor=2.0):
        super().__init__()
        self.factor = factor

    def clone(self):
        return type(self)(self.factor)

    def serialize(self):
        return np.float32(self.factor).tobytes()


class LosingItInClones(Keeping):
    def clone(self):
        return type(self)()


class LosingItInData(Keeping):
    def serialize(self):
        return np.float32(2).tobytes()


class CappingItInClones(Keeping):
    def clone(self):
        return type(self)(min(self.factor, 8.0))


class Refusing(LosingItInClones):
    def configure_plugin(self, *_):
        if self.factor != 2.0:
            raise ValueError("two alone")


class Loader(Creator):
    def __init__(self, plugin_class):
        super().__init__(
            lambda fields: plugin_class(float(fields[0].data[0])),
            [trt.PluginField("factor", np.array([], np.float32), trt.PluginFieldType.FLOAT32)],
        )
        self.plugin_class = plugin_class

    def deserialize_plugin(self, _name, data):
        return self.plugin_class(float(np.frombuffer(data, np.float32)[0]))


@pytest.fixture(name="subject_with")
def a_subject_whose_device_is_in_use():
    subjects = []

    def subject_with(plugin_class):
        subject = subject_of(Loader(plugin_class), CASE)
        subjects.append(use(subject.device))
        subjects[-1].__enter__()
        return subject

    yield subject_with
    for each in subjects:
        each.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("plugin_class", "losing"), [(Keeping, set()), (LosingItInClones, {"clone"}), (LosingItInData, {"data"})]
)
def test_what_gets_lost_shows_at_another_value_alone(subject_with, plugin_class, losing):
    subject = subject_with(plugin_class)
    found = {"clone": list(heirs_of_others(subject, cloned)), "data": list(heirs_of_others(subject, remade))}
    assert [fields for fields, _ in found["clone"]] == ["factor=[3.0]:FLOAT32", "factor=[34.33333206176758]:FLOAT32"]
    assert {how for how, heirs in found.items() if any(unlike for _, unlike in heirs)} == losing
    usual = original_of(subject, subject.fields, cloned, remade)
    assert [usual.unlike_its_heir(make) for make in (cloned, remade)] == ["", ""]


def test_a_limit_shows_far_from_the_value_of_the_case(subject_with):
    found = heirs_of_others(subject_with(CappingItInClones), cloned)
    assert [bool(unlike) for _, unlike in found] == [False, True]


def test_values_that_a_plugin_refuses_say_nothing(subject_with):
    assert list(heirs_of_others(subject_with(Refusing), cloned)) == []
