"""The obligations REF-001 to REF-016 as checks: each is a function that fails where the runtime does not keep one.

A check builds, loads and runs engines with plugins that record, and judges what they saw. It knows nothing of how the
runtime works, so that it can judge a wrong one as well (`wrong_runtimes`). It is long: the sixteen belong together.
"""

from __future__ import annotations

import gc
import itertools
from collections import Counter

import numpy as np

from reference_runtime.application.allocators import IOutputAllocator
from reference_runtime.bound import lifetimes
from reference_runtime.calling.gate.gate import Phase
from reference_runtime.devices import host
from reference_runtime.interfaces.resources import IPluginResource
from reference_runtime.registry.registry import PluginRegistry
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values import formats
from reference_runtime.values.descriptions import Description
from reference_runtime.values.enums import DataType, DimensionOperation, TensorFormat, TensorRTPhase
from reference_runtime.values.enums_building import BuilderFlag, NetworkDefinitionCreationFlag
from tests.support.runtime.recording import Recorder, bind, shop
from tests.support.runtime.recording_v3 import RecorderV3, shop_v3

SEEDS = (0, 1, 2, 3)
BOUNDS = ((1, 3, 2), (2, 3, 4), (4, 3, 8))
OTHER_BOUNDS = ((1, 3, 1), (3, 3, 3), (9, 3, 9))
WILD = (-1, 3, -1)
STRONG = 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
VALID_FORMATS = set(TensorFormat.__members__.values())


def both(seeds=SEEDS, **options):
    """Shops of both versions, with each seed."""
    for seed, open_shop in itertools.product(seeds, (shop, shop_v3)):
        with open_shop(seed, **options) as made:
            yield made


def is_v3(made):
    return made.kind is RecorderV3


def flat(described):
    """A tensor as a plugin was told it: dims, type, format, scale; version 3 adds bounds in a format query."""
    return described[0] if len(described[0]) == 4 and isinstance(described[0][0], tuple) else described


def profiles(made):
    made.profile(*BOUNDS)
    made.profile(*OTHER_BOUNDS)


def run(made, engine, *shapes, contexts=1):
    for _ in range(contexts):
        context = engine.create_execution_context()
        for shape in shapes:
            bind(context, {"x0": shape})
            assert context.execute_async_v3(0), made.log.errors


def asked_formats(made):
    return [arguments for _, _, arguments in made.tape.of("supports_format_combination")]


def ref_001():
    """What lies before ``pos`` was accepted, what lies behind is invalid, and the search stops at the limit."""
    for made in both():
        made.profile(*BOUNDS, inputs=2)
        made.config.set_flag(BuilderFlag.FP16)
        made.build(made.network(inputs=2))
        accepted = {()}
        for pos, in_out, count in asked_formats(made):
            head = tuple(flat(desc)[1:3] for desc in in_out[: pos + 1])
            assert count == 2
            assert head[:pos] in accepted
            assert all(dtype == head[0][0] for dtype, _ in head[:pos])
            accepted.add(head)
            for dims, dtype, layout, _ in (flat(desc) for desc in in_out[pos + 1 :]):
                assert (dims, layout in VALID_FORMATS, dtype in DataType.__members__.values()) == ((), False, False)
    _ref_001_limit()


def _ref_001_limit():
    def anything(self, pos, in_out, _num_inputs):
        self.note("supports_format_combination", pos, in_out, 0)
        return True

    for open_shop, base, limit in ((shop, Recorder, 100), (shop_v3, RecorderV3, 5)):
        kind = type("Anything", (base,), {"supports_format_combination": anything, "enqueue": lambda *_: None})
        with open_shop(kind=kind) as made:
            for flag in (BuilderFlag.FP16, BuilderFlag.BF16):
                made.config.set_flag(flag)
            network = made.builder.create_network()
            tensors = [network.add_input(f"x{place}", DataType.FLOAT, (1, 4, 4, 4)) for place in range(4)]
            plugin = kind(made.tape)
            if limit != 100:
                plugin.format_combination_limit = limit
                layer = network.add_plugin_v3(tensors, [], plugin)
            else:
                layer = network.add_plugin_v2(tensors, plugin)
            network.mark_output(layer.get_output(0))
            made.build(network)
            configured = Counter(repr(arguments[0] + arguments[1]) for arguments in _build_configurations(made))
            assert len(configured) == limit


def _build_configurations(made):
    """What the plugins were configured for in the build phase."""
    return [arguments for _, _, arguments in made.tape.of("configure_plugin")]


def ref_002():
    """The build phase shows wildcards and the bounds of the profile; the execution phase shows concrete dimensions."""
    for made in both():
        profiles(made)
        engine = made.engine()
        seen = set()
        for in_, out in _build_configurations(made):
            for (dims, *_), *bounds in (*in_, *out):
                if -1 in dims:
                    assert dims == WILD
                    assert tuple(bounds) in (BOUNDS, OTHER_BOUNDS)
                    seen.add(tuple(bounds))
        assert seen == {BOUNDS, OTHER_BOUNDS}
        assert len(_with_wildcards(made)) >= 4, "once before timing and once for the choice, in each profile"
        built = len(made.tape.calls)
        run(made, engine, (1, 3, 2), (4, 3, 8))
        for _, method, arguments in made.tape.calls[built:]:
            if method in {"configure_plugin", "on_shape_change"}:
                assert all(-1 not in flat(desc)[0] for side in arguments for desc in side)


def _with_wildcards(made):
    return [in_ for in_, _ in _build_configurations(made) if -1 in in_[0][0][0]]


def ref_003():
    """Version 2: configured before initialized; once a profile at its best; at run time in the next execution."""
    for seed in SEEDS:
        with shop(seed) as made:
            profiles(made)
            engine = made.engine()
            _check_v2_build(made)
            context = engine.create_execution_context()
            last = None
            for shape in [(1, 3, 2), (1, 3, 2), (4, 3, 8)]:
                before = len(made.tape.calls)
                bind(context, {"x0": shape})
                assert [call for call in made.tape.calls[before:] if call[1] == "configure_plugin"] == []
                assert context.execute_async_v3(0)
                calls = [call for call in made.tape.calls[before:] if call[1] in {"configure_plugin", "enqueue"}]
                methods = [method for _, method, _ in calls]
                assert methods == (["enqueue"] if shape == last else ["configure_plugin", "enqueue"])
                if shape != last:
                    assert calls[0][2][0][0][0][0] == shape
                last = shape


def _check_v2_build(made):
    for number in {who for who, _, _ in made.tape.of("enqueue")}:
        calls = [call for call in made.tape.calls if call[0] == number]
        for place, (_, method, _) in enumerate(calls):
            if method == "initialize":
                before = [name for _, name, _ in calls[:place]]
                assert "configure_plugin" in before
                rest = calls[place + 1 :]
                until = rest[: [name for _, name, _ in rest].index("terminate")]
                shown = [arguments[0][0][0][0] for _, name, arguments in until if name == "configure_plugin"]
                assert shown == [BOUNDS[1], OTHER_BOUNDS[1]]


def ref_004():
    """Version 3: told the shape once a profile in the build; at run time after each change and before the first run."""
    for seed in SEEDS:
        with shop_v3(seed) as made:
            profiles(made)
            engine = made.engine()
            for number in {who for who, _, _ in made.tape.of("enqueue")}:
                shown = [arguments[0][0][0] for who, _, arguments in made.tape.of("on_shape_change") if who == number]
                assert shown == [BOUNDS[1], OTHER_BOUNDS[1]]
            for _ in range(2):
                _check_v3_context(made, engine.create_execution_context())


def _check_v3_context(made, context):
    buffers = bind(context, {"x0": (2, 3, 2)})
    steps = [
        (lambda: None, ["on_shape_change", "enqueue"]),
        (lambda: None, ["enqueue"]),
        (lambda: context.set_input_shape("x0", (1, 3, 2)), ["on_shape_change", "enqueue"]),
        (lambda: context.set_tensor_address("x0", _moved(buffers)), ["on_shape_change", "enqueue"]),
        (lambda: context.set_tensor_address("y0", buffers["moved"].address), ["enqueue"]),
        (lambda: None, ["enqueue"]),
    ]
    for change, expected in steps:
        before = len(made.tape.calls)
        change()
        assert made.tape.calls[before:] == [], "nothing happens at once"
        assert context.execute_async_v3(0), made.log.errors
        after = [(name, arguments) for _, name, arguments in made.tape.calls[before:]]
        assert [name for name, _ in after if name in {"on_shape_change", "enqueue"}] == expected
        counts = [tuple(len(part) for part in arguments[:4]) for name, arguments in after if name == "enqueue"]
        assert counts == [(1, 1, 1, 1)]


def _moved(buffers):
    buffers["moved"] = host.current_device().allocate(buffers["x0"].nbytes, label="moved")
    return buffers["moved"].address


def ref_005():
    """Configured, then asked for tactics, and for the workspace in between or after; each tactic is timed, or 0.

    A builder that times nothing keeps the order on whatever object it configures.
    """
    for seed, tactics in itertools.product(SEEDS, [[], [3, 5]]):
        with shop_v3(seed, kind=_with_tactics(tactics)) as made:
            profiles(made)
            made.config.set_flag(BuilderFlag.FP16)
            network = made.network()
            made.tape.calls.clear()
            made.build(network)
            calls = list(made.tape.calls)
            for number in {who for who, _, _ in calls}:
                _check_questions([(name, arguments) for who, name, arguments in calls if who == number])
            if made.tape.of("enqueue"):
                _check_timing(calls, made.tape.of("get_valid_tactics")[0][0], tactics or [0])


def _check_questions(calls):
    """Tactics are asked for once after each configuration, and the workspace of what was configured last."""
    shown, asked = None, True
    for name, arguments in calls:
        if name == "configure_plugin":
            assert asked
            shown, asked = arguments, False
        elif name == "get_valid_tactics":
            assert not asked
            asked = True
        elif name == "set_tactic":
            shown, asked = None, True
        elif name == "get_workspace_size" and shown is not None:
            assert arguments == shown
    assert asked


def _check_timing(calls, builder, wanted):
    timed = [arguments for who, name, arguments in calls if name == "set_tactic" and who != builder]
    combinations = {repr(arguments) for name, arguments in _first_configurations(calls, builder)}
    assert sorted(timed) == sorted((tactic,) for tactic in wanted for _ in combinations)
    for number in {who for who, name, _ in calls if name == "enqueue"}:
        own = [name for who, name, _ in calls if who == number]
        assert own.index("set_tactic") < own.index("enqueue")


def _first_configurations(calls, builder):
    """What the builder's copy was configured for in its first profile."""
    return [
        (name, [flat(desc)[1:] for side in arguments for desc in side])
        for who, name, arguments in calls
        if who == builder and name == "configure_plugin"
    ]


def _with_tactics(tactics):
    class WithTactics(RecorderV3):
        def get_valid_tactics(self):
            self.note("get_valid_tactics")
            return list(tactics)

    return WithTactics


def ref_006():
    """Each new context has one clone of version 2, never initialized, or one attached object of version 3."""
    for made in both():
        made.profile(*BOUNDS)
        engine = made.engine()
        copying = "attach_to_context" if is_v3(made) else "clone"
        before = len(made.tape.calls)
        contexts = [engine.create_execution_context() for _ in range(3)]
        copied = [arguments for _, name, arguments in made.tape.calls[before:] if name == copying]
        assert len(copied) == 3
        assert [name for _, name, _ in made.tape.calls[before:] if name == "initialize"] == []
        if is_v3(made):
            assert len({id(resources) for (resources,) in copied}) == 3
            assert None not in [resources for (resources,) in copied]
        assert len({owned.name for owned in made.gate.owned if owned.phase is Phase.CONTEXT}) == 3
        del contexts


def ref_007():
    """The engine's plugin is made from deep copies of the fields, and the plugin that gave them is gone."""
    lent = []

    class Poisoning(RecorderV3):
        def get_fields_to_serialize(self):
            fields = super().get_fields_to_serialize()
            lent.append(self.kept)
            return fields

    with shop_v3(kind=Poisoning) as made:
        made.profile(*BOUNDS)
        network = made.network()
        data = made.build(network)
        for arrays in lent:
            for array in arrays:
                array[...] = 66
        lifetimes.close(network)
        lifetimes.close(made.builder)
        del network
        gc.collect()
        assert all(owned.destroyed for owned in made.gate.owned)
        engine = made.runtime.deserialize_cuda_engine(data)
        assert engine is not None, made.log.errors
        ((_, phase, given),) = made.creator.made
        assert phase == TensorRTPhase.RUNTIME
        assert {name: (array.dtype.name, array.tolist()) for name, array in given.items()} == {
            "counts": ("int32", [1, 1]),
            "factor": ("float64", [2.0]),
        }


def ref_008():
    """A new context is on profile 0."""
    for made in both((0,)):
        profiles(made)
        engine = made.engine()
        first, second = engine.create_execution_context(), engine.create_execution_context()
        assert (first.active_optimization_profile, second.active_optimization_profile) == (0, 0)
        assert first.set_optimization_profile_async(1, 0)
        assert engine.create_execution_context().active_optimization_profile == 0


PYTHON = {
    DimensionOperation.SUM: lambda one, other: one + other,
    DimensionOperation.PROD: lambda one, other: one * other,
    DimensionOperation.MAX: max,
    DimensionOperation.MIN: min,
    DimensionOperation.SUB: lambda one, other: one - other,
    DimensionOperation.EQUAL: lambda one, other: int(one == other),
    DimensionOperation.LESS: lambda one, other: int(one < other),
    DimensionOperation.FLOOR_DIV: lambda one, other: one // other,
    DimensionOperation.CEIL_DIV: lambda one, other: -(-one // other),
}


def ref_009():
    """Expressions mean what Python's integers mean; a symbol reads as the 64-bit minimum; a wrong operation is None."""
    seen = []

    class Computing(Recorder):
        def get_output_dimensions(self, _index, inputs, builder):
            numbers = {value: builder.constant(value) for value in range(-5, 6)}
            for (kind, means), one, other in itertools.product(PYTHON.items(), numbers, numbers):
                if other or "DIV" not in kind.name:
                    value = builder.operation(kind, numbers[one], numbers[other])
                    seen.append((kind, one, other, value.get_constant_value(), means(one, other)))
            seen.append(("symbol", inputs[0][0].is_constant(), inputs[0][0].get_constant_value()))
            seen.append(("wrong", builder.operation(DimensionOperation(99), numbers[1], numbers[2])))
            return DimsExprs(inputs[0])

    with shop(kind=Computing) as made:
        made.profile(*BOUNDS)
        made.build(made.network())
    for kind, *rest in seen:
        if kind == "symbol":
            assert rest == [False, -(2**63)]
        elif kind == "wrong":
            assert rest == [None]
        else:
            assert rest[2] == rest[3], (kind, *rest)
    assert len(seen) > 900


def _raising(*_):
    raise ValueError("no")


def ref_010():
    """What a callback does wrong becomes what the binding makes of it, and is recorded."""
    for method, expected in [
        ("configure_plugin", "TensorRT goes on as if the plugin were configured"),
        ("get_workspace_size", "TensorRT goes on with a workspace of 0 bytes"),
    ]:
        with shop(kind=type("Broken", (Recorder,), {method: _raising})) as made:
            made.profile(*BOUNDS)
            engine = made.builder.build_serialized_network(made.network(), made.config)
            assert engine is not None, "a failure that the binding swallows does not end a build"
            assert {(failure.method, failure.becomes) for failure in made.gate.failures} == {(method, expected)}
    for method in ("configure_plugin", "set_tactic", "on_shape_change", "enqueue"):
        with shop_v3(kind=type("Broken", (RecorderV3,), {method: _raising})) as made:
            made.profile(*BOUNDS)
            assert made.builder.build_serialized_network(made.network(), made.config) is None
            assert {failure.method for failure in made.gate.failures} == {method}


def ref_011():
    """Weak typing shows FLOAT and INT32 alone to the query for types; strong typing shows what is there."""
    for made, flags in itertools.product(both((0,)), (0, STRONG)):
        made.tape.calls.clear()
        made.config.set_flag(BuilderFlag.FP16) if not flags else made.config.clear_flag(BuilderFlag.FP16)
        network = made.network(dims=(2, 3), dtype=DataType.HALF, flags=flags)
        made.build(network)
        asked = made.tape.of("get_output_datatype", "get_output_data_types")
        expected = DataType.HALF if flags else DataType.FLOAT
        assert asked
        assert all(arguments[-1] == [expected] for _, _, arguments in asked)
        assert network.get_output(0).dtype == expected


TABLE = {
    TensorFormat.CHW2: ({DataType.HALF, DataType.BF16}, 3),
    TensorFormat.HWC8: ({DataType.HALF, DataType.BF16}, 3),
    TensorFormat.CHW4: ({DataType.INT8, DataType.HALF, DataType.BF16}, 3),
    TensorFormat.CHW32: ({DataType.FLOAT, DataType.HALF, DataType.INT8}, 3),
    TensorFormat.DHWC8: ({DataType.HALF, DataType.BF16}, 4),
    TensorFormat.CDHW32: ({DataType.HALF, DataType.INT8}, 4),
    TensorFormat.HWC: ({DataType.FLOAT, DataType.HALF}, 3),
    TensorFormat.HWC16: ({DataType.HALF, DataType.INT8, DataType.FP8}, 3),
    TensorFormat.DHWC: ({DataType.FLOAT}, 4),
}
"""The comments of TensorFormat, and what TensorRT-RTX asks for beyond them: types that a plugin may be
offered (UINT8 is none of them), and the least rank."""


def ref_012():
    """What a plugin is offered exists in the documented table, all of it is offered, and layouts are padded."""
    for made in both((0,)):
        for flag in (BuilderFlag.FP16, BuilderFlag.BF16, BuilderFlag.INT8, BuilderFlag.FP8):
            made.config.set_flag(flag)
        for rank in (2, 3, 4):
            made.tape.calls.clear()
            network = made.network(dims=(1, 5, 2, 2)[-rank:])
            network.get_input(0).set_dynamic_range(-1.0, 1.0)
            made.build(network)
            offered = {flat(in_out[0])[1:3] for pos, in_out, _ in asked_formats(made) if pos == 0}
            table = {(dtype, name) for name, (held, least) in TABLE.items() if rank >= least for dtype in held}
            assert {pair for pair in offered if pair[1] != TensorFormat.LINEAR} == table
    data = np.arange(20, dtype=np.float32).reshape(1, 5, 2, 2)
    for name, width in ((TensorFormat.CHW2, 2), (TensorFormat.HWC8, 8), (TensorFormat.CHW32, 32)):
        desc = Description((1, 5, 2, 2), DataType.HALF, name)
        raw = formats.to_device(data, desc)
        assert len(raw) == -(-5 // width) * width * 4 * 2
        assert (formats.from_device(raw, desc) == data).all()


class _Shared(IPluginResource):
    def __init__(self, made):
        super().__init__()
        self.made = made
        made.append(self)

    def clone(self):
        return _Shared(self.made)

    def release(self):
        return 0


def ref_013():
    """The registry keys creators by name, version and namespace, and clones a resource once a key."""
    registry, made = PluginRegistry(), []
    template = _Shared(made)
    first = registry.acquire_plugin_resource("key", template)
    assert registry.acquire_plugin_resource("key", _Shared(made)) is first
    assert first is not template
    assert len(made) == 3, "two templates and one clone"
    assert registry.release_plugin_resource("key") == 0
    assert registry.release_plugin_resource("key") == 1, "the last release of a Python resource reports a failure"
    with shop_v3() as shop_made:
        creator = shop_made.creator
        assert registry.register_creator(creator, "")
        assert registry.get_creator("RecorderV3", "1", "") is creator
        assert registry.get_creator("RecorderV3", "2", "") is registry.get_creator("RecorderV3", "1", "ns") is None
        assert registry.register_creator(creator, "") is False


def _trace(open_shop, seed):
    with open_shop(seed) as made:
        profiles(made)
        network = made.network(chain=2)
        engine = made.engine(network)
        run(made, engine, (1, 3, 2), contexts=2)
        del network, engine
        gc.collect()
        return tuple((who, name) for who, name, _ in made.tape.calls)


def ref_014():
    """What no document fixes changes with the seed, and the same seed gives the same calls."""
    for open_shop in (shop, shop_v3):
        traces = {seed: _trace(open_shop, seed) for seed in range(6)}
        assert len(set(traces.values())) >= 4
        assert all(_trace(open_shop, seed) == traces[seed] for seed in (0, 3))


def ref_015():
    """The scale is -1 unless the type is INT8."""
    for made in both((0, 2)):
        made.profile(*BOUNDS)
        for flag in (BuilderFlag.FP16, BuilderFlag.INT8):
            made.config.set_flag(flag)
        network = made.network()
        network.get_input(0).set_dynamic_range(-1.27, 1.27)
        engine = made.engine(network)
        run(made, engine, (1, 3, 2))
        seen = set()
        for _, method, arguments in made.tape.of("configure_plugin", "on_shape_change", "enqueue"):
            for desc in itertools.chain(*arguments[:2]):
                _, dtype, _, scale = flat(desc)
                assert (scale > 0) if dtype == DataType.INT8 else (scale == -1.0), (method, desc)
                seen.add(dtype)
        for pos, in_out, _ in asked_formats(made):
            for _, dtype, _, scale in (flat(desc) for desc in in_out[: pos + 1]):
                assert (scale > 0) if dtype == DataType.INT8 else (scale == -1.0)
                seen.add(dtype)
        assert {DataType.FLOAT, DataType.INT8} <= seen


class _Counting(IOutputAllocator):
    """Keeps what it was asked for."""

    def __init__(self):
        super().__init__()
        self.asked = []
        self.buffers = []

    def reallocate_output(self, _name, _memory, size, alignment):
        self.asked.append((size, alignment))
        self.buffers.append(host.current_device().allocate(max(size, 1), label="output"))
        return self.buffers[-1].address

    def notify_shape(self, name, shape):
        pass


def _whole(address, nbytes):
    """Whether that many bytes can be used."""
    try:
        host.view(address, nbytes)[:] = bytes(nbytes)
    except (MemoryError, ValueError, IndexError, host.DeviceFault):
        return False
    return True


def ref_016():
    """Buffers are aligned to 256 bytes, the workspace is as large as announced, a request to an allocator positive."""

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.note("enqueue", input_desc, output_desc, inputs, outputs, workspace, stream)
        if any(0 not in tuple(desc.dims) for desc in input_desc):
            self.tape.whole.append(_whole(workspace, self.workspace))

    kinds = [(shop, Recorder), (shop_v3, RecorderV3)]
    for seed, (open_shop, base) in itertools.product((0, 1), kinds):
        with open_shop(seed, kind=type(base.__name__, (base,), {"enqueue": enqueue})) as made:
            _ref_016_in(made)


def _ref_016_in(made):
    made.tape.whole = []
    made.profile((0, 3, 1), (2, 3, 4), (4, 3, 8))
    engine = made.engine(made.network())
    context = engine.create_execution_context()
    allocator = _Counting()
    bind(context, {"x0": (0, 3, 1)})
    assert context.set_output_allocator("y0", allocator)
    ran = [context.execute_async_v3(0)]
    bind(context, {"x0": (2, 3, 4)})
    ran.append(context.execute_async_v3(0))
    assert [size >= 1 and alignment == 256 for size, alignment in allocator.asked] == [True, True]
    assert ran == [True, True], made.log.errors
    addresses = [
        address
        for _, _, (_, _, inputs, outputs, workspace, _) in made.tape.of("enqueue")
        for address in (*inputs, *outputs, workspace)
    ]
    assert addresses
    assert all(address % 256 == 0 for address in addresses)
    assert made.tape.whole
    assert all(made.tape.whole)


CHECKS = {f"REF-{number:03}": globals()[f"ref_{number:03}"] for number in range(1, 17)}
