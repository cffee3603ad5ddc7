"""The end of plugin objects, and what goes wrong there."""

import contextlib
import gc
import os

import pytest

from harness.checks.lifecycle.destruction import ending, failures_at_the_end
from harness.checks.running.driver import fresh_driver
from harness.contract.finding import CallbackFailedError
from reference_runtime.bridges import cupy as cp
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, running


class Noting(Doubler):
    notes = []  # noqa: RUF012 - shared on purpose

    def terminate(self):
        self.notes.append("terminate")

    def destroy(self):
        self.notes.append("destroy")

    def __del__(self):
        self.notes.append("finalised")


class Stubborn(Noting):
    def terminate(self):
        raise RuntimeError("not now")


class Careless(Doubler):
    def __init__(self):
        super().__init__()
        self.memory = cp.cuda.runtime.malloc(8)

    def destroy(self):
        cp.cuda.runtime.free(self.memory)

    __del__ = destroy


@pytest.fixture(name="of")
def an_ending_of_plugins_of_a_class():
    def of(plugin_class, make=lambda subject: [fresh_driver(subject).plugin]):
        subject = running(Creator(lambda _: plugin_class()))

        def made():
            plugins = make(subject)
            gc.collect()  # what was made on the way
            Noting.notes.clear()
            return plugins

        with use(subject.device):
            return ending(subject, made)

    return of


def test_an_initialized_object_is_terminated_destroyed_and_finalised(of):
    end = of(Noting)
    assert (end.failures, end.sentences) == ([], [])
    assert Noting.notes == ["terminate", "destroy", "finalised"]


def test_an_object_that_was_not_initialized_is_not_terminated(of):
    of(Noting, lambda subject: [subject.create()])
    assert Noting.notes == ["destroy", "finalised"]


def test_destroy_follows_whatever_terminate_did(of):
    end = of(Stubborn)
    assert [failure.method for failure in end.failures] == ["terminate"]
    assert Noting.notes[0] == "destroy"
    with pytest.raises(CallbackFailedError, match="terminate raised RuntimeError: not now"):
        end.insist()


def test_a_second_free_is_a_sentence(of):
    end = of(Careless)
    assert "was freed a second time" in end.sentences[0]
    assert end.wrong_frees == [], "the memory is the plugin's own"


def test_freeing_what_was_given_is_told_apart(of):
    def make(subject):
        driver = fresh_driver(subject)
        subject.device.allocate(8, label="outputs[0]").free()
        driver.plugin.memory = subject.device.allocate(8, label="outputs[0]").address
        return [driver.plugin]

    class Taker(Doubler):
        def destroy(self):
            cp.cuda.runtime.free(self.memory)
            cp.cuda.runtime.free(self.memory)

    end = of(Taker, make)
    assert len(end.wrong_frees) == 1
    assert end.sentences == []


def test_failures_at_the_end_are_given():
    class Loud(Doubler):
        def destroy(self):
            raise ValueError("no")

    subject = running(Creator(lambda _: Loud()))
    failures = failures_at_the_end(subject, subject.create())
    assert [(failure.method, failure.what) for failure in failures] == [("destroy", "raised ValueError: no")]


class ClosesTwice(Doubler):
    def __init__(self):
        super().__init__()
        self.file = os.open(os.devnull, os.O_RDONLY)

    def destroy(self):
        with contextlib.suppress(OSError):
            os.close(self.file)

    __del__ = destroy


def test_a_file_that_is_closed_again_when_it_is_another_ones_is_told_though_nobody_raises(of):
    assert of(ClosesTwice).sentences[0].endswith("was closed, which another owner had opened since")
