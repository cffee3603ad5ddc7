"""The rules about tactics where a failure is not the tactic's."""

# Callbacks have the signature that TensorRT calls.
# ruff: noqa: ARG005

import dataclasses

import pytest

import reference_runtime as trt
from conformance.rules import tactics
from harness.contract.interface import Interface
from harness.contract.verdict import Kind


@pytest.fixture
def with_tactics(sound, subject_of, judge):
    """Return ``with_tactics(refuses, ...)``: the answer for a plugin whose ``enqueue`` asserts for some descriptors."""

    def ask(refuses, advertised):
        class Plugin(sound.scale_v3.Scale):
            tactic = 0

            def get_valid_tactics(self):
                return list(advertised)

            def set_tactic(self, tactic):
                self.tactic = tactic

            def enqueue(self, input_desc, *others):
                assert not refuses(input_desc[0], self.tactic)
                super().enqueue(input_desc, *others)

        subject = subject_of(sound.scale_v3.ScaleCreator, Plugin, *sound.scale_v3.SCALE_CASES)
        subject = dataclasses.replace(subject, interface=Interface.V3)
        return judge(tactics.an_engines_object_takes_every_tactic, subject)

    return ask


def test_a_combination_that_never_runs_is_no_matter_of_tactics(with_tactics):
    answer = with_tactics(lambda desc, tactic: desc.type == trt.DataType.HALF, advertised=[1])
    assert (answer.kind, answer.broken, answer.evidence) == (Kind.JUDGED, 0, 1)


def test_a_tactic_that_never_runs_is_a_failure_beside_one_that_does(with_tactics):
    answer = with_tactics(lambda desc, tactic: tactic == 2, advertised=[1, 2])
    assert (answer.broken, answer.evidence) == (2, 4)
