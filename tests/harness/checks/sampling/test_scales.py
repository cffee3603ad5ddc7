"""What the steps of INT8 tensors stand for."""

from harness.cases.case import Case, Input
from harness.checks.sampling.scales import has_scales, int8_scale, output_step

TWO = Case(plugin="P", inputs=(Input(dims=(2,), types="int8", scale=0.5), Input(dims=(2,), types="int8", scale=0.1)))
PLAIN = Case(plugin="P", inputs=(Input(dims=(2,), types="int8"),))


def test_each_input_has_its_own_scale_and_outputs_have_another_than_the_first():
    assert [int8_scale(TWO, position) for position in range(4)] == [0.5, 0.1, 0.75, 0.75]
    assert (output_step(TWO, 0, "int8"), output_step(TWO, 0, "float32")) == (0.75, None)


def test_without_a_scale_the_values_are_whole_numbers():
    assert (has_scales(TWO), has_scales(PLAIN)) == (True, False)
    assert (int8_scale(PLAIN, 0), output_step(PLAIN, 0, "int8")) == (1.0, None)
