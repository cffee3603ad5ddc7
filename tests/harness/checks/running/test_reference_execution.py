"""What executions in company are compared with."""

import dataclasses

import numpy as np
import pytest

from harness.cases.case import Case, Input
from harness.checks.running.reference_execution import ReferenceExecution
from harness.contract.finding import NotRun
from reference_runtime import DataType
from reference_runtime.calling.gate.gate import watching
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, Doubler, subject_of

CASE = Case(plugin="P", inputs=(Input(dims=("N", 3), min=(0, 3), opt=(2, 3), max=(4, 3)),))
ORACLE = dataclasses.replace(CASE, reference=lambda x, **_: x * 3)
DOUBLED = dataclasses.replace(CASE, reference=lambda x, **_: x * 2)
DATA = [np.arange(6, dtype=np.float32).reshape(2, 3)]


@pytest.mark.parametrize(("case", "factor", "words"), [(CASE, 2, "a new plugin"), (ORACLE, 3, "the case's reference")])
def test_the_reference_counts_or_else_a_new_plugin(case, factor, words):
    subject = subject_of(Creator(lambda _: Doubler()), case)
    with watching(subject.gate), use(subject.device):
        solo = ReferenceExecution(subject)
        assert words in solo.source
        for _ in range(2):
            assert solo.difference(((2, 3),), DATA, [DATA[0] * factor]) is None
        assert solo.difference(((2, 3),), DATA, [DATA[0] * 5]).count == 5


@pytest.mark.parametrize(("case", "wrong"), [(CASE, False), (ORACLE, True), (DOUBLED, False)])
def test_a_plugin_that_runs_alone_may_be_wrong(case, wrong):
    subject = subject_of(Creator(lambda _: Doubler()), case)
    with watching(subject.gate), use(subject.device):
        assert ReferenceExecution(subject).is_wrong_alone(((2, 3),), DATA) is wrong


def test_other_types_than_those_of_the_network_round_in_another_way():
    subject = subject_of(Creator(lambda _: Doubler()), CASE)
    with watching(subject.gate), use(subject.device):
        ReferenceExecution(subject).check_types({(DataType.FLOAT, DataType.FLOAT)})
        ReferenceExecution(subject).check_types(set())
        with pytest.raises(NotRun, match="types that are not the network's"):
            ReferenceExecution(subject).check_types({(DataType.FLOAT, DataType.FLOAT), (DataType.HALF, DataType.FLOAT)})
