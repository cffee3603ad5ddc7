"""A creator in a long row of plugins."""

import numpy as np
import pytest

from harness.cases.case import Case
from harness.checks.fields.field_variants import increased
from harness.checks.lifecycle import repeated_creation
from harness.checks.lifecycle.repeated_creation import unlike_the_first
from harness.contract.finding import CallbackFailedError, CallbackFailure
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

CASE = Case(plugin="P", fields={"factor": np.array([2.0], np.float32)}, inputs=({"dims": (2, 3)},))


def made_of(fields):
    plugin = Doubler()
    plugin.factor = float(fields[0].data[0])
    return plugin


class Remembering:
    factor = None

    def __call__(self, fields):
        plugin = made_of(fields)
        self.factor = self.factor or plugin.factor
        plugin.factor = self.factor
        return plugin


@pytest.mark.parametrize(("create", "differs"), [(made_of, False), (Remembering(), True)])
def test_what_is_left_behind_shows_beside_a_process_of_its_own(create, differs):
    subject = subject_of(Creator(create), CASE)
    sets = {"as they are": subject.fields, "increased": [increased(each) for each in subject.fields]}
    with use(subject.device):
        looks = list(unlike_the_first(subject, sets))
    assert {how.partition(";")[0] for how, unlike in looks if unlike} == ({"increased"} if differs else set())
    assert len(looks) == 6


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
