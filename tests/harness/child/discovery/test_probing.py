"""What is inferred for a plugin without a case, as a user sees it in the plain data of a discovery."""

import contextlib
import dataclasses
import sys
import textwrap

import numpy as np
import pytest

from harness.cases.case import Case
from harness.cases.input import Input
from harness.cases.unknown import Unknown
from harness.child.discovery.attempts import _STAGES, Attempt
from harness.child.discovery.probing import _batch_of, _Guess, _Search, paste
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings
from harness.subject.serialized_cases import case_from_plain

#: More of the same: the search tries hundreds of guesses.
MORE = pytest.mark.nightly
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
def discovered_in(tmp_path):
    def discover(source):
        (tmp_path / "probed.py").write_text(source)
        settings = ChildSettings(module="probed", path=(str(tmp_path), *sys.path), timeout=60)
        with contextlib.closing(ProcessIsolation(settings)) as child:
            assert child.load().ok
            return child.discover()

    return discover


@pytest.fixture
def discovered(discovered_in):
    return lambda method="pass", creator="pass": discovered_in(
        textwrap.dedent(SOURCE).format(method=method, creator=creator)
    )


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


def refusing(condition):
    """A plugin that runs with some dimensions only, and says so in enqueue."""
    return f"""def enqueue(self, i, o, *rest):
            first, *_, last = i[0].dims
            if {condition}: raise ValueError("such dimensions")
            super().enqueue(i, o, *rest)"""


def test_an_extent_that_may_not_have_every_value_is_fixed(discovered):
    assert inferred(discovered(refusing("last % 2"))).inputs[0].network_dims == (-1, -1, -1, 8)


def test_extents_that_must_go_together_are_fixed(discovered):
    assert inferred(discovered(refusing("first > last"))).inputs[0].network_dims == (-1, -1, -1, -1)
    dims = inferred(discovered(refusing("last != 4 * first"))).inputs[0].network_dims
    assert (dims[0], dims[-1]) == (2, 8)


def test_an_extent_that_must_be_known_before_a_run_is_fixed(discovered):
    method = """def configure_plugin(self, i, o):
            if i[0].desc.dims[-1] % 2: raise ValueError("even ones only")"""
    case = inferred(discovered(method))
    assert case.inputs[0].network_dims == (-1, -1, -1, 8)
    assert case.inputs[0].profile[0][-1] == 8


def test_extents_that_are_fixed_have_different_sizes_if_they_may(discovered):
    case = inferred(discovered(refusing("last % 4 or i[0].dims[-2] % 4")))
    assert case.inputs[0].network_dims == (-1, -1, 16, 8)


def test_extents_that_must_be_equal_have_one_name_and_vary(discovered):
    first, *_, last = inferred(discovered(refusing("i[0].dims[-2] != last"))).inputs[0].dims
    assert first != last
    assert inferred(discovered(refusing("i[0].dims[-2] != last"))).inputs[0].dims[-2:] == (last, last)


def test_a_defect_between_the_bounds_is_no_refusal(discovered):
    broken = refusing("last % 2 and first / 0")
    assert inferred(discovered(broken)).inputs[0].network_dims == (-1, -1, -1, -1)


def test_of_a_plugin_that_cannot_be_created_fields_and_inputs_are_unknown(discovered):
    case = inferred(discovered(creator="def create_plugin(self, name, field_collection): raise ValueError('not so')"))
    assert isinstance(case.fields, Unknown)
    assert "create_plugin raised ValueError: not so" in case.unknown


def test_a_text_that_the_source_compares_is_tried_as_a_field(discovered):
    creator = """def __init__(self):
        super().__init__()
        entry = trt.PluginField("backend", np.array([], np.int8), trt.PluginFieldType.CHAR)
        self.field_names = trt.PluginFieldCollection([entry])

    def create_plugin(self, name, fields):
        if bytes(fields[0].data).decode() not in ("cupy", "torch"):
            raise ValueError("an unknown backend")
        return Mine(2.0)"""
    assert inferred(discovered(creator=creator)).fields["backend"][0].tobytes() == b"cupy"


def with_field(name, kind, create):
    """A creator that advertises one field, and makes a plugin of it in this way."""
    return f"""def __init__(self):
        super().__init__()
        entry = trt.PluginField("{name}", np.array([], np.int32), trt.PluginFieldType.{kind})
        self.field_names = trt.PluginFieldCollection([entry])

    def create_plugin(self, name, fields):
        {create}"""


def test_a_text_that_is_only_refused_later_is_the_one_that_is_compared_with_the_fields_name(discovered):
    creator = with_field("backend", "CHAR", "return Mine(2.0) if __name__ != '__main__' else None")
    method = """def select(self, mode, backend):
        return mode == "fast" and backend == "torch" """
    assert inferred(discovered(method, creator)).fields["backend"][0].tobytes() == b"torch"


@MORE
def test_a_number_of_elements_that_is_only_refused_later_is_found(discovered):
    creator = with_field("pads", "INT32", "plugin = Mine(2.0); plugin.pads = fields[0].data.tolist(); return plugin")
    method = """def enqueue(self, *arguments):
        if len(getattr(self, "pads", ())) % 2: raise RuntimeError("in pairs")
        super().enqueue(*arguments)

    def clone(self):
        made = super().clone()
        made.pads = self.pads
        return made"""
    assert inferred(discovered(method, creator)).fields["pads"].size == 2


def test_a_number_of_elements_that_a_refusal_names_is_tried(discovered):
    refuses = "if fields and fields[0].size != 9: raise ValueError('it has 9 values')"
    creator = with_field("table", "INT32", f"{refuses}\n        return Mine(2.0) if fields else None")
    assert inferred(discovered(creator=creator)).fields["table"].size == 9


def test_a_field_that_is_refused_is_left_out_before_all_are(discovered):
    creator = """def __init__(self):
        super().__init__()
        entries = [trt.PluginField(name, np.array([], np.int32), trt.PluginFieldType.INT32) for name in ("pads", "odd")]
        self.field_names = trt.PluginFieldCollection(entries)

    def create_plugin(self, name, fields):
        if any(field.name == "odd" for field in fields): raise ValueError("no odd ones")
        return Mine(2.0)"""
    assert list(inferred(discovered(creator=creator)).fields) == ["pads"]


def test_many_fields_that_are_all_refused_take_few_guesses(tmp_path, discovered):
    """The mixtures of ten values for each of eight fields once took hours."""
    counted = tmp_path / "guesses"
    creator = f"""def __init__(self):
        super().__init__()
        entries = [trt.PluginField(name, np.array([], np.int32), trt.PluginFieldType.INT32) for name in "abcdefgh"]
        self.field_names = trt.PluginFieldCollection(entries)

    def create_plugin(self, name, fields):
        open({str(counted)!r}, "a").write(".")
        raise ValueError("no such plugin")"""
    assert isinstance(inferred(discovered(creator=creator)).fields, Unknown)
    assert len(counted.read_text()) < 700


def test_a_creator_that_takes_an_array_for_a_number_has_a_case(discovered):
    body = """if fields and type(fields[0].data).__module__ == "numpy":  # as NumPy 2.4, whichever is installed
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return Mine(float(fields[0].data))"""
    case = inferred(discovered(creator=with_field("count", "INT32", body)))
    assert case.fields["count"].tolist() == [2]
    assert not case.unknown
    assert len(case.inputs) == 1


TYPED = """def supports_format_combination(self, pos, in_out, num_inputs):
        assert num_inputs == 2
        wanted = trt.DataType.INT32 if pos == 1 else trt.DataType.FLOAT
        return in_out[pos].format == trt.TensorFormat.LINEAR and in_out[pos].type == wanted"""


def test_inputs_of_unlike_types_are_found(discovered):
    assert [entry.types for entry in inferred(discovered(TYPED)).inputs] == [("float32",), ("int32",)]


GATHERED = """
import tensorrt as trt
import tensorrt.plugin as trtp

@trtp.register("probed::gather")
def described(rows: trtp.TensorDesc, places: trtp.TensorDesc) -> trtp.TensorDesc:
    return rows.like()

@trtp.autotune("probed::gather")
def tuned(rows: trtp.TensorDesc, places: trtp.TensorDesc, outputs: tuple[trtp.TensorDesc]):
    one = trtp.AutoTuneCombination()
    one.pos([0, 2], "FP32")
    one.pos([1], "INT32")
    return [one]

@trtp.impl("probed::gather")
def computed(rows: trtp.Tensor, places: trtp.Tensor, outputs: tuple[trtp.Tensor], stream: int): ...
"""


def test_inputs_of_unlike_types_are_found_for_a_decorated_plugin(discovered_in):
    assert [entry.types for entry in inferred(discovered_in(GATHERED)).inputs] == [("float32",), ("int32",)]


def indexed(method):
    """A plugin that takes a FLOAT and an INT32 input, and does this with them in enqueue."""
    return f"""{TYPED}

    def get_output_datatype(self, index, input_types):
        return trt.DataType.FLOAT

    def enqueue(self, i, o, inputs, outputs, *rest):
        from cupy import ndarray
        from cupy.cuda import MemoryPointer, UnownedMemory
        def view(address, dims, kind):
            return ndarray(dims, kind, MemoryPointer(UnownedMemory(address, 4 * trt.volume(dims), None), 0))
        x, y = view(inputs[0], i[0].dims, "f4"), view(outputs[0], o[0].dims, "f4")
        places = {method}
        y[...] = x"""


@pytest.mark.parametrize(
    ("use", "values"),
    [
        ("x.shape[-1] and view(inputs[1], i[1].dims, 'i4')", (-2, 9)),
        ("x.take(view(inputs[1], i[1].dims, 'i4'), axis=-1)", (0, 0)),
        ("[0, 1][int(view(inputs[1], i[1].dims, 'i4').max())]", (0, 1)),
    ],
)
def test_integers_beside_other_inputs_have_the_values_that_the_plugin_takes(discovered, use, values):
    assert [entry.values for entry in inferred(discovered(indexed(use))).inputs] == [None, values]


def test_shapes_of_which_one_input_is_too_small_for_the_other_are_not_used(discovered):
    use = "view(inputs[1], i[0].dims[:2], 'i4')"
    first, second = inferred(discovered(indexed(f"{use} if i[0].dims[-1] % 2 == 0 else (1, 2)[9]"))).inputs
    for shape, other in zip(first.profile, second.profile, strict=True):
        assert shape[0] * shape[1] <= np.prod(other)


def test_types_that_follow_from_the_output_types_query_are_found(discovered):
    method = """def get_output_datatype(self, index, input_types):
        self.kind = input_types[0]
        return input_types[0]

    def supports_format_combination(self, pos, in_out, num_inputs):
        assert num_inputs == 2 and self.kind == trt.DataType.FLOAT
        return in_out[pos].type == (trt.DataType.INT64 if pos == 1 else self.kind)"""
    assert [entry.types for entry in inferred(discovered(method)).inputs] == [("float32",), ("int64",)]


@pytest.mark.parametrize(
    ("condition", "dims"),
    [
        ("len(a) > len(b) == 1 and a[-1] == b[0]", 1),
        pytest.param("len(a) == 2 and len(b) == 1 and a[0] == b[0]", 1, marks=MORE),
        pytest.param("a != b and all(n == 1 for n in b)", 2, marks=MORE),
    ],
)
def test_shapes_that_broadcast_are_tried(discovered, condition, dims):
    method = f"""def configure_plugin(self, inputs, outputs):
        a, b = (tuple(each.max) for each in inputs)
        if not ({condition}): raise ValueError("it does not broadcast")"""
    assert [len(entry.profile[0]) for entry in inferred(discovered(method)).inputs] == [2, dims]


@MORE
def test_the_row_beside_an_input_fits_one_of_its_extents_alone(discovered):
    method = """def configure_plugin(self, inputs, outputs):
        if [len(each.max) for each in inputs] != [2, 1]: raise ValueError("a matrix and a row")"""
    first, second = inferred(discovered(method)).inputs
    assert [extent in second.profile[2] for extent in first.profile[2]] == [False, True]


@pytest.mark.parametrize(("ranks", "even"), [([4, 2], -1), pytest.param([3, 2], 1, marks=MORE)])
def test_an_extent_of_inputs_of_unlike_ranks_that_must_be_even_is_fixed(discovered, ranks, even):
    method = f"""def configure_plugin(self, inputs, outputs):
        first = inputs[0].desc.dims
        if [len(each.max) for each in inputs] != {ranks}: raise ValueError("rows and their places")
        if first[{even}] % 2 and first[{even}] != -1: raise ValueError("even ones only")

    def enqueue(self, i, o, *rest):
        if i[0].dims[{even}] % 2: raise ValueError("even ones only")
        super().enqueue(i, o, *rest)"""
    first, _ = inferred(discovered(method)).inputs
    assert [dim != -1 for dim in first.network_dims].index(True) == even % ranks[0]


@pytest.mark.parametrize(("axis", "place"), [(1, 1), pytest.param(-1, 3, marks=MORE)])
def test_a_field_with_one_element_for_each_channel_is_found(discovered, axis, place):
    method = f"""count = 1

    def configure_plugin(self, inputs, outputs):
        if inputs[0].desc.dims[{axis}] not in (-1, self.count): raise ValueError("one factor for each channel")

    def enqueue(self, input_desc, output_desc, *more):
        if tuple(input_desc[0].dims)[{axis}] != self.count: raise ValueError("one factor for each channel")
        super().enqueue(input_desc, output_desc, *more)

    def clone(self):
        other = super().clone()
        other.count = self.count
        return other"""
    creator = """def create_plugin(self, name, fields):
        made = self.make(float(fields[0].data[0]))
        made.count = len(fields[0].data)
        return made"""
    case = inferred(discovered(method, creator))
    low, _, high = case.inputs[0].profile
    assert len(case.fields["factor"]) == low[place] == high[place]


def test_a_number_of_inputs_that_the_source_compares_is_tried(discovered):
    refuses = "def configure_plugin(self, i, o):\n        if len(i) != 9: raise ValueError('nine, please')"
    assert len(inferred(discovered(refuses)).inputs) == 9


def test_shapes_that_a_docstring_describes_are_tried(discovered):
    method = '''"""Multiplies the tables of x [B, N, 4] and ignores scores [B, N]."""

    def configure_plugin(self, inputs, outputs):
        x, scores = (each.max for each in inputs)
        if x[2] != 4 or tuple(x[:2]) != tuple(scores): raise ValueError("no")'''
    case = inferred(discovered(method))
    assert [each.dims for each in case.inputs] == [("B", "N", 4), ("B", "N")]


def test_the_best_guess_may_be_one_that_a_docstring_describes(discovered):
    method = '''"""Multiplies x [B, N, 4] and scores [B, N]."""

    def configure_plugin(self, inputs, outputs):
        if [len(each.max) for each in inputs] != [3, 2]: raise ValueError("no")

    def enqueue(self, *arguments):
        raise ValueError("later")'''
    case = inferred(discovered(method))
    assert "at the best guess, float32[2, 3, 4] float32[2, 3], enqueue raised ValueError: later" in case.unknown


def test_one_input_whose_extents_must_be_even_is_found_before_more_inputs(discovered):
    method = """def configure_plugin(self, inputs, outputs):
        if inputs[0].max[-1] % 4 or len(inputs[0].max) != 3: raise ValueError("multiples of four")"""
    assert len(inferred(discovered(method)).inputs) == 1


def test_there_are_as_many_blanks_as_the_best_guess_has_inputs(discovered):
    method = """def configure_plugin(self, inputs, outputs):
        x, y, z = inputs
        raise ValueError("never")"""
    ((case,),) = (plugin["cases"] for plugin in discovered(method)["plugins"])
    assert "never" in case["unknown"]
    assert case["paste"].count("'dims': (...)") == 3


@MORE
def test_a_callback_that_kills_the_process_does_not_keep_a_case_from_being_found(discovered):
    case = inferred(discovered("def enqueue(self, *arguments):\n        import os; os._exit(0)"))
    assert case.inputs


def test_a_guess_that_kills_the_process_is_not_used(discovered):
    method = "def get_output_dimensions(self, i, inputs, b):\n        import os; len(inputs[0]) == 2 or os.abort()\n"
    returned = "        return trt.DimsExprs(inputs[0])"
    assert len(inferred(discovered(method + returned)).inputs[0].profile[0]) == 2


def test_fields_with_which_the_creator_kills_the_process_are_not_used(discovered):
    creator = (
        "def create_plugin(self, name, fields):\n"
        "        if not fields or fields[0].data[0] != 3: import os; os.abort()\n"
        "        return super().create_plugin(name, fields)"
    )
    assert inferred(discovered(creator=creator)).fields["factor"] == [3]


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


@pytest.mark.parametrize(
    ("enqueue", "refusal"),
    [
        ("raise ValueError('only on Tuesdays')", "enqueue raised ValueError: only on Tuesdays"),
        pytest.param("input_desc[20]", "enqueue raised IndexError: list index out of range", marks=MORE),
        pytest.param("1 // 0", "enqueue raised ZeroDivisionError", marks=MORE),
    ],
)
def test_of_a_plugin_that_refuses_every_shape_the_inputs_are_unknown(discovered, enqueue, refusal):
    case = inferred(discovered(f"def enqueue(self, input_desc, *arguments):\n        {enqueue}"))
    assert case.fields["factor"].tolist() == [2.0]
    assert refusal in case.unknown
    assert "'dims': (...)" in paste(case)


@MORE
def test_a_defect_is_no_refusal(discovered):
    assert discovered("def enqueue(self, *arguments):\n        raise NameError('np')")["plugins"]


@pytest.mark.parametrize("callback", ["clone", pytest.param("initialize", marks=MORE)])
def test_what_fails_where_no_inputs_are_seen_is_no_refusal_of_them(discovered, callback):
    case = inferred(discovered(f"def {callback}(self):\n        raise ValueError('not today')"))
    assert not case.unknown
    assert case.inputs[0].network_dims == (-1, -1, -1, -1)


def test_for_an_implicit_batch_the_first_extent_alone_varies():
    entry = _batch_of(Input(dims=("a", "b"), min=(1, 2), opt=(3, 4), max=(5, 6)))
    assert entry.network_dims == (-1, 4)
    assert entry.profile == ((1, 4), (3, 4), (5, 4))


class Tried:
    """Attempts that all come equally far; ``cases`` are those that were tried."""

    def __init__(self, stage, **how):
        self.cases = []
        self._found = (_STAGES.index(stage), how)

    def with_case(self, case):
        self.cases.append(case.inputs)
        return Attempt(case, self._found[0], **self._found[1])

    def types_taken(self, case, types):
        return types[: len(case.inputs)]


ROW = Input(dims=("a",), min=(1,), opt=(2,), max=(4,), types=("float32",))
HALF = dataclasses.replace(ROW, types=("float16",))
WIDER = dataclasses.replace(ROW, opt=(3,))
BLOCK = Input(dims=("a", "b"), min=(1, 1), opt=(2, 2), max=(4, 4), types=("float32",))


def searched(attempts, *inputs, mixed=()):
    case = Case(plugin="Mine")
    guesses = [_Guess(dataclasses.replace(case, inputs=each)) for each in inputs]
    guesses += [_Guess(dataclasses.replace(case, inputs=each), is_untyped=True) for each in mixed]
    _Search(attempts, iter(guesses)).best_of(len(guesses))
    return attempts.cases


def test_once_it_ran_other_shapes_are_tried_and_no_other_types_or_numbers():
    assert searched(Tried("best"), (ROW,), (HALF,), (ROW, ROW), (WIDER,)) == [(ROW,), (WIDER,)]


def test_once_it_ran_with_unlike_types_these_are_tried_without_a_question():
    attempts = Tried("best")
    attempts.types_taken = None  # it is not called
    assert searched(attempts, (ROW, HALF), mixed=[(WIDER, WIDER), (ROW, ROW, ROW)])[1:] == [
        (WIDER, dataclasses.replace(WIDER, types=("float16",)))
    ]


def test_where_types_change_nothing_each_number_and_rank_is_tried_once():
    stuck = Tried("configured", is_stuck=True)
    tried = searched(stuck, (ROW,), (HALF,), (BLOCK,), (WIDER,), (ROW, ROW), mixed=[(ROW, ROW), (ROW, ROW, ROW)])
    assert tried[:-1] == [(ROW,), (BLOCK,), (ROW, ROW)]
    assert [each.types for each in tried[-1]] == [("float32",), ("float16",), ("int32",)]


def test_of_equals_one_wins_that_only_lacks_what_this_machine_has_not():
    found = {1: {"refusal": "enqueue raised StatusError: enqueue returned 1"}, 2: {}, 3: {"is_stuck": True}}
    attempts = Tried("configured")
    attempts.with_case = lambda case: Attempt(case, _STAGES.index("configured"), **found[len(case.inputs)])
    guesses = [_Guess(Case(plugin="Mine", inputs=(ROW,) * count)) for count in found]
    assert len(_Search(attempts, iter(guesses)).best_of(len(guesses)).case.inputs) == 3


def test_a_defect_is_not_passed_over_for_what_this_machine_lacks():
    found = {1: {}, 2: {"is_stuck": True}}
    attempts = Tried("configured")
    attempts.with_case = lambda case: Attempt(case, _STAGES.index("configured"), **found[len(case.inputs)])
    guesses = [_Guess(Case(plugin="Mine", inputs=(ROW,) * count)) for count in found]
    assert len(_Search(attempts, iter(guesses)).best_of(len(guesses)).case.inputs) == 1


@pytest.mark.parametrize(("refusal", "tried"), [("", [(ROW,)]), ("the process exited", [(ROW,), (WIDER,)])])
def test_other_shapes_are_tried_after_an_assertion_and_not_after_a_crash(refusal, tried):
    assert searched(Tried("configured", death="it died", refusal=refusal), (ROW,), (WIDER,)) == tried


@pytest.mark.parametrize("callback", ["configure_plugin(self, i, o)", "enqueue(self, i, o, *more)"])
def test_a_status_refuses_a_guess_as_an_exception_does(discovered, callback):
    """Plugins of NVIDIA's in C++ return 1 for a wrong number of inputs; these guesses once became cases that fail."""
    refuses = "class StatusError(RuntimeError): pass\n        if len(i) != 3: raise StatusError('returned 1')"
    case = inferred(discovered(f"def {callback}:\n        {refuses}\n        raise StatusError('returned 1')"))
    assert isinstance(case.inputs, Unknown)
    assert "StatusError: returned 1" in case.inputs.reason


@pytest.mark.parametrize("line", ["import no_such_package", "np = npp.zeros(1)"])
def test_what_no_guess_can_mend_takes_few_guesses(tmp_path, line):
    """A guess leaves a byte in a file. These plugins once took 2,000 guesses."""
    counted = tmp_path / "guesses"
    method = f"def configure_plugin(self, i, o):\n        open({str(counted)!r}, 'a').write('.')\n        {line}"
    (tmp_path / "probed.py").write_text(textwrap.dedent(SOURCE).format(method=method, creator="pass"))
    settings = ChildSettings(module="probed", path=(str(tmp_path), *sys.path), timeout=60)
    with contextlib.closing(ProcessIsolation(settings)) as child:
        assert child.load().ok
        case = inferred(child.discover())
    assert case.inputs[0].network_dims == (-1, -1, -1, -1)
    assert len(counted.read_text()) < 200


def test_other_fields_and_types_are_tried_where_some_fields_lead_to_a_missing_package(discovered):
    creator = with_field("backend", "CHAR", "plugin = Mine(2.0); plugin.backend = bytes(fields[0].data); return plugin")
    method = """def enqueue(self, *arguments):
        if self.backend.decode() == "first":
            import no_such_package
        if self.backend.decode() != "second" or arguments[0][0].type != trt.DataType.HALF:
            raise ValueError("another type")
        super().enqueue(*arguments)

    def clone(self):
        made = super().clone()
        made.backend = self.backend
        return made"""
    case = inferred(discovered(method, creator))
    assert case.fields["backend"][0].tobytes() == b"second"
    assert [entry.types for entry in case.inputs] == [("float16",)]


def test_a_refusal_with_a_name_that_is_not_defined_is_a_refusal_of_the_rank(discovered):
    refuses = "def configure_plugin(self, i, o):\n        if len(i[0].desc.dims) > 2: raise Unsupported('rank')"
    assert len(inferred(discovered(refuses)).inputs[0].profile[0]) == 2
