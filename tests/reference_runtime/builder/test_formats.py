from __future__ import annotations

import math

import pytest

from reference_runtime.builder.formats import accepted_combinations, offers, question
from reference_runtime.builder.work import Copy
from reference_runtime.calling.adapters.version_2 import DYNAMIC
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.trampolines import v2
from reference_runtime.network.graph.graph_parts import Tensor
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.enums import DataType, TensorFormat
from reference_runtime.values.enums_building import BuilderFlag, NetworkDefinitionCreationFlag
from tests.support.runtime.recording import Recorder, Tape, shop

T, F, B = DataType, TensorFormat, BuilderFlag
FLOAT, HALF = Description((2, 3), T.FLOAT, F.LINEAR), Description((2, 3), T.HALF, F.LINEAR)
STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)


LIMIT = 100


def negotiate(plugin, candidates, num_inputs=1, limit=LIMIT):
    gate = Gate(quiet=True)
    copy = Copy(DYNAMIC, DYNAMIC.capabilities(gate, plugin, build=True))
    ask = question(gate, copy, [Bounds(each[0], (), (), ()) for each in candidates], num_inputs)
    return accepted_combinations(ask, candidates, limit=limit)


class Anything(Recorder):
    def supports_format_combination(self, pos, in_out, num_inputs):
        self.note("supports_format_combination", pos, in_out, num_inputs)
        return True


def questions(tape):
    return [arguments for _, _, arguments in tape.of("supports_format_combination")]


def test_what_lies_before_pos_was_accepted_and_what_lies_behind_is_invalid():
    tape = Tape()
    found = negotiate(Recorder(tape, inputs=2), [[FLOAT, HALF]] * 3, 2)
    accepted = {tuple((desc.type, desc.format) for desc in combination) for combination in found}
    for pos, in_out, num_inputs in questions(tape):
        head = tuple((dtype, layout) for _, dtype, layout, _ in in_out[:pos])
        assert any(combination[:pos] == head for combination in accepted)
        for dims, dtype, layout, scale in in_out[pos + 1 :]:
            assert (dtype.name, layout.name, dims) == ("???", "???", ())
            assert math.isnan(scale)
        assert (len(in_out), num_inputs) == (3, 2)


def test_every_position_is_asked_about_the_last_output_too():
    tape = Tape()
    negotiate(Recorder(tape), [[FLOAT], [FLOAT]])
    assert [pos for pos, _, _ in questions(tape)] == [0, 1]


def test_all_accepted_combinations_are_found_in_order():
    found = negotiate(Recorder(Tape()), [[FLOAT, HALF], [HALF, FLOAT]])
    assert found == [(FLOAT, FLOAT), (HALF, HALF)]


def test_the_search_stops_after_the_limit():
    tape = Tape()
    found = negotiate(Anything(tape), [[FLOAT, HALF]] * 10)
    assert len(found) == LIMIT == 100
    assert len(questions(tape)) < 300


def test_a_plugin_that_refuses_only_at_the_end_is_given_up_on(monkeypatch):
    class Never(Anything):
        def supports_format_combination(self, pos, in_out, _num_inputs):
            return pos < len(in_out) - 1

    monkeypatch.setattr("reference_runtime.builder.formats.MAX_QUERIES", 500)
    with pytest.raises(Exception, match="0 combinations were found in 500 questions"):
        negotiate(Never(Tape()), [[FLOAT, HALF]] * 12)


def test_a_failing_query_is_a_refusal():
    plugin = Recorder(Tape())
    plugin.supports_format_combination = lambda *_: 1 / 0
    assert negotiate(plugin, [[FLOAT], [FLOAT]]) == []


def kinds(tensor, dims, flags=(), *, strongly_typed=False):
    offered = offers(tensor, dims, flags, strongly_typed=strongly_typed)
    return [(desc.type, desc.format) for desc in offered]


def types(tensor, flags=(), **options):
    return [dtype for dtype, _ in kinds(tensor, (2, 3), flags, **options)]


def test_a_weakly_typed_builder_offers_what_its_flags_allow():
    tensor = Tensor("x", T.FLOAT)
    assert types(tensor) == [T.FLOAT]
    assert types(tensor, {B.FP16, B.BF16, B.FP8}) == [T.FLOAT, T.HALF, T.BF16, T.FP8]
    assert types(Tensor("x", T.HALF)) == [T.HALF, T.FLOAT]
    assert types(Tensor("x", T.INT32), {B.FP16}) == [T.INT32]


def test_int8_is_offered_where_the_tensor_has_a_range():
    assert types(Tensor("x", T.FLOAT), {B.INT8}) == [T.FLOAT]
    ranged = Tensor("x", T.FLOAT, dynamic_range=(-2.54, 1.0))
    (linear,) = [desc for desc in offers(ranged, (2, 3), {B.INT8}, strongly_typed=False) if desc.type == T.INT8]
    assert linear.scale == pytest.approx(0.02)


def test_only_int8_has_a_scale():
    ranged = Tensor("x", T.FLOAT, dynamic_range=(-1.0, 1.0))
    offered = offers(ranged, (1, 2, 3), {B.INT8, B.FP16, B.BF16, B.FP8}, strongly_typed=False)
    assert {desc.scale for desc in offered if desc.type != T.INT8} == {-1.0}


def test_a_strongly_typed_builder_offers_the_type_that_is():
    assert types(Tensor("x", T.HALF), {B.BF16}, strongly_typed=True) == [T.HALF]


def test_restricted_formats_fix_the_type_as_well():
    tensor = Tensor("x", T.HALF, allowed_formats=1 << int(F.HWC8) | 1 << int(F.LINEAR))
    assert kinds(tensor, (1, 2, 3), {B.BF16}) == [(T.HALF, F.LINEAR), (T.HALF, F.HWC8)]


def test_a_type_that_does_not_exist_is_not_offered():
    assert types(Tensor("x", T(99))) == types(Tensor("x", T.INT4)) == []


def built(kind=Recorder, *, dtype=T.FLOAT, flags=0, builder_flags=(), prepare=lambda _network: None):
    with shop(kind=kind) as made:
        for flag in builder_flags:
            made.config.set_flag(flag)
        network = made.network(dims=(2, 8, 3), dtype=dtype, flags=flags, kind=kind)
        prepare(network)
        engine = made.engine(network)
        last = made.tape.of("configure_plugin")[-1][2]
        chosen = [(desc[0][1], desc[0][2]) for desc in (*last[0], *last[1])]
        outer = [(engine.get_tensor_dtype(name), engine.get_tensor_format(name)) for name in ("x0", "y0")]
        return chosen, outer


def test_the_combination_with_the_fewest_reformats_is_chosen():
    chosen, outer = built(builder_flags=[B.FP16])
    assert chosen == outer == [(T.FLOAT, F.LINEAR)] * 2
    chosen, outer = built(dtype=T.HALF, prepare=lambda network: setattr(network.get_output(0), "dtype", T.HALF))
    assert chosen == outer == [(T.HALF, F.LINEAR)] * 2


def test_a_plugin_that_wants_another_type_is_given_it_by_a_reformat():
    class HalfOnly(Recorder):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.types = [T.HALF]

    chosen, outer = built(HalfOnly, builder_flags=[B.FP16])
    assert chosen == [(T.HALF, F.LINEAR)] * 2
    assert outer == [(T.FLOAT, F.LINEAR)] * 2


def test_restricted_formats_are_the_ones_of_the_engine():
    class Vectors(Recorder):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.formats = [F.LINEAR, F.HWC8]

        def enqueue(self, *_):
            pass

    def prepare(network):
        network.get_output(0).dtype = T.HALF
        for tensor in (network.get_input(0), network.get_output(0)):
            tensor.allowed_formats = 1 << int(F.HWC8)

    chosen, outer = built(Vectors, dtype=T.HALF, prepare=prepare)
    assert chosen == outer == [(T.HALF, F.HWC8)] * 2


def test_a_plugin_that_takes_nothing_gives_no_engine():
    class Nothing(Recorder):
        def supports_format_combination(self, *_):
            return False

    with shop() as made:
        made.profile()
        assert made.builder.build_serialized_network(made.network(kind=Nothing), made.config) is None
        assert "could not find any supported formats" in made.log.errors[0]
        assert all(owned.destroyed for owned in made.gate.owned[1:])


def test_a_strongly_typed_network_is_built_with_its_own_types():
    chosen, outer = built(dtype=T.HALF, flags=STRONG)
    assert chosen == outer == [(T.HALF, F.LINEAR)] * 2


def test_invalid_descriptions_are_of_no_type_and_no_format():
    assert v2.INVALID.type not in T.__members__.values()
    assert v2.INVALID.format not in F.__members__.values()
