"""An algorithm selector has its say in which combination a layer gets."""

import pytest

import reference_runtime as trt
from tests.support.runtime.recording import shop

pytestmark = pytest.mark.filterwarnings("ignore:Use Deprecated in TensorRT 10.8")


class Selector(trt.IAlgorithmSelector):
    """Allows what ``choose`` returns of the choices."""

    def __init__(self, choose):
        super().__init__()
        self.choose, self.reported = choose, []

    def select_algorithms(self, context, choices):
        self.context = context
        return self.choose(choices)

    def report_algorithms(self, contexts, choices):
        for context, choice in zip(contexts, choices, strict=True):
            self.reported.append((context.name, choice.get_algorithm_io_info(0).dtype))


@pytest.fixture
def made():
    with shop() as made:
        made.profile()
        made.config.set_flag(trt.BuilderFlag.FP16)
        yield made


def built(made, choose):
    made.config.algorithm_selector = selector = Selector(choose)
    return made.builder.build_serialized_network(made.network(chain=2), made.config), selector


def halves(choices):
    return [place for place, choice in enumerate(choices) if choice.get_algorithm_io_info(0).dtype == trt.DataType.HALF]


def test_a_layer_gets_what_the_selector_allows(made):
    data, selector = built(made, halves)
    assert data
    assert [dtype for _, dtype in selector.reported] == [trt.DataType.HALF] * 2
    assert (selector.context.num_inputs, selector.context.num_outputs) == (1, 1)
    assert [tuple(shape) for shape in selector.context.get_shape(0)] == [(1, 3, 2), (2, 3, 4), (4, 3, 8)]


@pytest.mark.parametrize("answer", [[], None])
def test_a_selector_without_an_answer_leaves_the_choice_to_the_builder(made, answer):
    data, selector = built(made, lambda _choices: answer)
    assert data
    assert [dtype for _, dtype in selector.reported] == [trt.DataType.FLOAT] * 2


def test_no_choice_can_be_forbidden(made):
    made.config.set_flag(trt.BuilderFlag.REJECT_EMPTY_ALGORITHMS)
    assert built(made, lambda _choices: [])[0] is None
    assert "the algorithm selector chose nothing, and REJECT_EMPTY_ALGORITHMS is set" in made.log.errors[0]


def test_a_choice_that_there_is_not_is_refused(made):
    assert built(made, lambda choices: [len(choices)])[0] is None
    assert "the algorithm selector chose [" in made.log.errors[0]
