"""The moments of a plugin's life."""

import pytest

from harness.checks.lifecycle.life_stages import moments
from harness.contract.finding import CallbackFailedError
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


def life(plugin):
    subject = running(Creator(lambda _: type(plugin)()))
    with use(subject.device):
        yield from moments(subject, plugin)


def test_every_step_is_shown_on_the_object_and_on_clones():
    plugin = Doubler()
    seen = {moment.when: moment.plugin is plugin for moment in life(plugin)}
    assert next(iter(seen)) == "after create_plugin"
    assert list(seen)[-1] == "after terminate"
    assert [when for when, original in seen.items() if not original] == [
        "on a clone of the new object",
        "on a clone of the configured object",
        "after configure_plugin for the execution, on a clone of the initialized object",
        "after enqueue, on a clone of the initialized object",
        "after serialize, on a clone of the initialized object",
    ]


def test_a_callback_that_fails_ends_it():
    class Stubborn(Doubler):
        def initialize(self):
            raise OSError("no handle")

    seen = []
    with pytest.raises(CallbackFailedError, match="initialize raised OSError"):
        seen.extend(moment.when for moment in life(Stubborn()))
