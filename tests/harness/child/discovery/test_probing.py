"""What is inferred for a plugin without a case, as a user sees it in the plain data of a discovery."""

import contextlib
import sys
import textwrap

import numpy as np
import pytest

from harness.cases.input import Input
from harness.child.discovery.probing import _batch_of, paste
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings
from harness.subject.serialized_cases import case_from_plain

SOURCE = """
    import numpy as np
    import tensorrt as trt
    from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, publish

    class Mine(Scale):
        {method}

    class Creator(ScaleCreator):
        {creator}

    publish(Mine, Creator)
"""


@pytest.fixture
def discovered(tmp_path):
    def discover(method="pass", creator="pass"):
        (tmp_path / "probed.py").write_text(textwrap.dedent(SOURCE).format(method=method, creator=creator))
        settings = ChildSettings(module="probed", path=(str(tmp_path), *sys.path), timeout=60)
        with contextlib.closing(ProcessIsolation(settings)) as child:
            assert child.load().ok
            return child.discover()

    return discover


def inferred(found):
    (plugin,) = found["plugins"]
    (case,) = plugin["cases"]
    return case_from_plain(case["plain"])


def test_fields_types_and_shapes_that_the_plugin_takes_are_found(discovered):
    case = inferred(discovered())
    assert case.fields["factor"].dtype == np.float32
    assert [entry.types for entry in case.inputs] == [("float32", "float16")]
    assert case.inputs[0].network_dims == (-1, -1, -1, -1)


def test_a_rank_that_the_plugin_refuses_is_not_used(discovered):
    refuses = "def configure_plugin(self, i, o):\n        if len(i[0].desc.dims) > 2: raise ValueError('rank')"
    assert len(inferred(discovered(refuses)).inputs[0].profile[0]) == 2


def test_a_profile_is_narrowed_to_the_shape_that_runs(discovered):
    method = (
        "def enqueue(self, input_desc, output_desc, *more):\n"
        "        if tuple(input_desc[0].dims)[-1] != 8: raise ValueError('not eight')\n"
        "        super().enqueue(input_desc, output_desc, *more)"
    )
    low, _, high = inferred(discovered(method)).inputs[0].profile
    assert low == high
    assert low[-1] == 8


def test_a_plugin_that_cannot_be_created_is_a_problem_and_no_plugin(discovered):
    found = discovered(creator="def create_plugin(self, name, field_collection): raise ValueError('not so')")
    assert found["plugins"] == []
    (problem,) = found["problems"]
    assert problem["kind"] == "fail"
    assert "ValueError: not so" in problem["text"]


def test_a_callback_that_kills_the_process_does_not_keep_a_case_from_being_found(discovered):
    case = inferred(discovered("def enqueue(self, *arguments):\n        import os; os._exit(0)"))
    assert case.inputs


def test_what_is_printed_is_python_that_makes_the_same_case(discovered):
    case = inferred(discovered())
    scope = {}
    exec(paste(case), scope)  # noqa: S102 - it is what the user would paste
    (entry,) = scope["PLUGIN_CASES"]
    assert entry["inputs"][0]["max"] == case.inputs[0].max
    np.testing.assert_array_equal(entry["fields"]["factor"], case.fields["factor"])


def test_a_profile_of_powers_of_two_is_found_where_odd_extents_are_refused(discovered):
    method = (
        "def enqueue(self, input_desc, output_desc, *more):\n"
        "        if tuple(input_desc[0].dims)[-3] % 4: raise ValueError('not a multiple of four')\n"
        "        super().enqueue(input_desc, output_desc, *more)"
    )
    low, _, high = inferred(discovered(method)).inputs[0].profile
    assert low[-3] % 4 == 0
    assert low != high


def test_a_plugin_that_refuses_every_shape_is_a_problem_and_no_failed_rule(discovered):
    found = discovered("def enqueue(self, *arguments):\n        raise ValueError('only on Tuesdays')")
    assert found["plugins"] == []
    assert "enqueue raised ValueError: only on Tuesdays" in found["problems"][0]["text"]


def test_a_plugin_that_needs_more_inputs_than_were_guessed_is_a_problem_and_no_failed_rule(discovered):
    found = discovered("def enqueue(self, input_desc, *arguments):\n        input_desc[8]")
    assert found["plugins"] == []
    assert "enqueue raised IndexError: list index out of range" in found["problems"][0]["text"]


def test_a_defect_is_no_refusal(discovered):
    assert discovered("def enqueue(self, *arguments):\n        raise NameError('np')")["plugins"]


def test_for_an_implicit_batch_the_first_extent_alone_varies():
    entry = _batch_of(Input(dims=("a", "b"), min=(1, 2), opt=(3, 4), max=(5, 6)))
    assert entry.network_dims == (-1, 4)
    assert entry.profile == ((1, 4), (3, 4), (5, 4))
