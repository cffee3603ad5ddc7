"""A creator in a long row of plugins."""

import dataclasses

import numpy as np
import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.lifecycle import repeated_creation
from harness.checks.lifecycle.repeated_creation import field_sets, unlike_the_first
from harness.contract.finding import CallbackFailedError, CallbackFailure, NotRun
from harness.contract.interface import Interface
from harness.subject.subject import Subject
from reference_runtime.devices import host
from reference_runtime.devices.host import use
from tests.support.workbench import BASES_V3, Creator, CreatorV3, Doubler, PluginV3, subject_of

CASE = Case(plugin="P", fields={"factor": np.array([2.0], np.float32)}, inputs=({"dims": (2, 3)},))

PLAIN = Case(plugin="P", inputs=({"dims": (2, 3)},))


def made_of(fields, kind=Doubler):
    plugin = kind()
    plugin.factor = float(fields[0].data[0]) if fields else 1.0
    return plugin


class Remembering:
    factor = None

    def __call__(self, fields):
        plugin = made_of(fields)
        self.factor = self.factor or plugin.factor
        plugin.factor = self.factor
        return plugin


class Clipper(Doubler):
    """Cuts its output at the bound of the newest plugin, or at its own."""

    newest = None

    def enqueue(self, input_desc, _output_desc, inputs, outputs, *_):
        nbytes = trt.volume(input_desc[0].dims) * 4
        x, y = (np.frombuffer(host.view(address, nbytes), np.float32) for address in (inputs[0], outputs[0]))
        y[:] = np.minimum(x, self.factor if Clipper.newest is None else Clipper.newest)


def newest_clipper(fields):
    plugin = made_of(fields, Clipper)
    Clipper.newest = plugin.factor
    return plugin


class CopierV3(PluginV3, *BASES_V3):
    """Copies its input."""

    def __init__(self):
        super().__init__()
        self.num_outputs = 1

    def get_output_shapes(self, inputs, _shape_inputs, _builder):
        return [trt.DimsExprs(inputs[0])]

    def enqueue(self, input_desc, _output_desc, inputs, outputs, *_):
        nbytes = trt.volume(input_desc[0].dims) * 4
        host.view(outputs[0], nbytes)[:] = host.view(inputs[0], nbytes)


class AtConfiguration(Doubler):
    """Computes with the factor of the plugin that was configured last."""

    of_all = 1.0

    def configure_plugin(self, _inputs, _outputs):
        AtConfiguration.of_all = self.factor

    def enqueue(self, *arguments):
        own, self.factor = self.factor, self.of_all
        super().enqueue(*arguments)
        self.factor = own


def looks_of(create, case=CASE):
    subject = subject_of(Creator(create), case)
    with use(subject.device):
        return list(unlike_the_first(subject, field_sets(subject)))


def in_words(looks):
    return {how.partition(";")[0] for how, unlike in looks if unlike}


@pytest.mark.parametrize(
    ("create", "unlike"), [(made_of, set()), (Remembering(), {"'factor' left out", "factor=[3.0]:FLOAT32"})]
)
def test_what_is_left_behind_shows_beside_a_process_of_its_own(create, unlike):
    looks = looks_of(create)
    assert in_words(looks) == unlike
    assert len(looks) == 3 * 4


@pytest.mark.parametrize("bound", [1.0, 6.0, 2000.0])
def test_a_value_is_looked_for_that_changes_the_outputs(bound, monkeypatch):
    monkeypatch.setattr(Clipper, "newest", None)
    case = Case(plugin="P", fields={"bound": np.array([bound], np.float32)}, inputs=({"dims": (2, 3)},))
    assert "the case's fields" in in_words(looks_of(newest_clipper, case))
    monkeypatch.setattr(Clipper, "newest", None)
    assert not in_words(looks_of(lambda fields: made_of(fields, Clipper), case))


def test_what_the_last_configured_plugin_left_shows_when_all_run_again():
    looks = looks_of(lambda fields: made_of(fields, AtConfiguration))
    assert {how.partition("; ")[2] for how, unlike in looks if unlike} == {"run again when all of them had run"}


def test_fields_with_which_the_plugin_asserts_otherwise_are_left_out(monkeypatch):
    def dies(how):
        def apart(_):
            raise CallbackFailedError(CallbackFailure("the plugin", how, "a process apart"))

        return apart

    monkeypatch.setattr(repeated_creation, "apart", dies("died by SIGABRT"))
    assert repeated_creation._alone(None, []) is None
    monkeypatch.setattr(repeated_creation, "apart", dies("died by SIGSEGV"))
    with pytest.raises(CallbackFailedError):
        repeated_creation._alone(None, [])
    assert repeated_creation._field_set(None, []) is None


@pytest.mark.parametrize("interface", [Interface.V2_DYNAMIC, Interface.V3])
def test_no_plugin_is_made_for_a_question_in_between(interface, monkeypatch):
    """It would be the newest, and put right what the others share."""
    made, taken = [], Subject.create
    creator, case = (Creator(made_of), CASE) if interface is Interface.V2_DYNAMIC else (CreatorV3(CopierV3), PLAIN)
    subject = dataclasses.replace(subject_of(creator, case), interface=interface)
    with use(subject.device):
        sets = field_sets(subject)
        monkeypatch.setattr(Subject, "create", lambda *args, **named: made.append(args) or taken(*args, **named))
        assert [unlike for _, unlike in unlike_the_first(subject, sets)] == [""] * len(sets) * 4
    assert not made


class Adder(Doubler):
    """Adds the number of its own executions, which no other plugin sees."""

    executions = 0

    def enqueue(self, input_desc, _output_desc, inputs, outputs, *_):
        nbytes = trt.volume(input_desc[0].dims) * 4
        x, y = (np.frombuffer(host.view(address, nbytes), np.float32) for address in (inputs[0], outputs[0]))
        y[:] = x + self.executions
        self.executions += 1


def test_what_a_plugin_keeps_of_its_own_executions_is_for_another_rule():
    with use(host.HostDevice()):
        subject = subject_of(Creator(lambda fields: made_of(fields, Adder)), CASE)
        with pytest.raises(NotRun, match="when it runs again"):
            field_sets(subject)
