import pytest

import reference_runtime as trt
from reference_runtime.application import algorithms
from reference_runtime.application.algorithms import Choice, Question
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.values.descriptions import Description

ROWS = Description((2, 3), trt.float32, trt.TensorFormat.LINEAR)
CHW4 = Description((1, 8, 5, 6), trt.int8, trt.TensorFormat.CHW4)
QUESTION = Question("layer", 1, (((1, 3), (2, 3), (4, 3)), ((1, 1), (2, 2), (3, 3))))
CHOICES = [Choice((ROWS, CHW4), 5, 0.5, 64), Choice((ROWS, ROWS), 6, 0.25, 0)]


class Mine(trt.IAlgorithmSelector):
    def __init__(self, answer=(1,)):
        super().__init__()
        self.answer = answer

    def select_algorithms(self, context, choices):
        self.context, self.choices = context, choices
        return self.answer

    def report_algorithms(self, contexts, choices):
        pairs = zip(contexts, choices, strict=True)
        self.reported = [(context.name, choice.algorithm_variant.tactic) for context, choice in pairs]


@pytest.fixture
def asked():
    mine = Mine()
    assert algorithms.select(Gate(), mine, QUESTION, CHOICES) == [1]
    return mine


def test_a_selector_sees_the_layer(asked):
    context = asked.context
    assert (context.name, context.num_inputs, context.num_outputs) == ("layer", 1, 1)
    assert [tuple(shape) for shape in context.get_shape(0)] == [(1, 3), (2, 3), (4, 3)]
    assert context.get_shape(2) == []


def test_a_selector_sees_each_implementation(asked):
    first = asked.choices[0]
    assert (first.timing_msec, first.workspace_size) == (0.5, 64)
    assert (first.algorithm_variant.tactic, first.algorithm_variant.implementation) == (5, 0)
    assert first.get_algorithm_io_info(2) is None


def test_a_selector_sees_how_tensors_lie_in_memory(asked):
    rows, vectors = (asked.choices[0].get_algorithm_io_info(place) for place in range(2))
    assert (rows.dtype, tuple(rows.strides)) == (trt.float32, (3, 1))
    assert (rows.vectorized_dim, rows.components_per_element) == (-1, -1)
    assert (vectors.dtype, vectors.vectorized_dim, vectors.components_per_element) == (trt.int8, 1, 4)


@pytest.mark.parametrize("answer", [None, "x", [1.5], 3])
def test_an_answer_of_no_use_is_heard(answer, capfd):
    gate = Gate()
    assert algorithms.select(gate, Mine(answer), QUESTION, CHOICES) is None
    said = "[ERROR] Return value of select_algorithms() could not be interpreted as a List[int]\n"
    assert capfd.readouterr().err == said
    assert gate.failures[0].becomes == "TensorRT gets -1 for the number of choices, and chooses itself"


def test_a_selector_is_told_what_was_chosen():
    mine = Mine()
    algorithms.report(Gate(), mine, [(QUESTION, CHOICES[1])])
    assert mine.reported == [("layer", 6)]


def test_a_selector_without_overrides_is_heard(capfd):
    gate, bare = Gate(), trt.IAlgorithmSelector()
    assert algorithms.select(gate, bare, QUESTION, CHOICES) is None
    algorithms.report(gate, bare, [])
    assert capfd.readouterr().err.count(" was not overriden. Please provide an implementation for this method.") == 2


def test_the_bound_methods_do_nothing(asked):
    bare = trt.IAlgorithmSelector()
    assert bare.select_algorithms(asked.context, asked.choices) == []
    assert bare.report_algorithms([asked.context], asked.choices) is None
