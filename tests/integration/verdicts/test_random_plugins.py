"""A plugin that draws random numbers cannot be compared with itself: that is said, and is no failure."""

import textwrap

import pytest

from harness.contract import catalogue
from harness.contract.verdict import BAD
from tests.support.verdicts import results_of

SOURCE = """
    import cupy as cp
    import tensorrt as trt
    from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

    PLUGIN_CASES = [{name: value for name, value in SCALE_CASES[0].items() if name != "reference"}]

    class Dropout(Scale):
        def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
            if trt.volume(input_desc[0].dims) == 0:
                return
            with cp.cuda.ExternalStream(stream):
                x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
                y[...] = x * (cp.random.random(x.shape) > 0.5).astype(x.dtype)

    publish(Dropout)
"""


#: Rules that compare two plugins on drawn questions: of those that are drawn, the others compare nothing.
COMPARING = {"FUZ-003", "FUZ-004", "FUZ-006"}


def what_is_said(tmp_path, rules):
    (tmp_path / "dropout.py").write_text(textwrap.dedent(SOURCE))
    (results,) = results_of(str(tmp_path / "dropout.py"), rules=rules).values()
    return {each.rule for each in results if each.verdict in BAD}


def test_a_random_plugin_is_warned_about_and_fails_nothing(tmp_path):
    known = catalogue.load().rules.values()
    rules = [rule.id for rule in known if rule.strategy is None or rule.id in COMPARING]
    assert what_is_said(tmp_path, rules) == {"ENQ-011"}


@pytest.mark.nightly
def test_a_random_plugin_fails_nothing_whatever_is_drawn(tmp_path):
    assert what_is_said(tmp_path, None) == {"ENQ-011"}
