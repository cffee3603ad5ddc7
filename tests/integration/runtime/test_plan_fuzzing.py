"""20,000 mutations of plans: whatever is changed, reading ends in `PlanError` or in a plan that is sound.

Each is read within the bound on memory: 1 MiB and `plan.MEMORY` bytes for each byte of the plan.

Half of them change bytes: at random, by cutting, splicing and inserting, in the length fields; most of these get a new
checksum, or nothing behind the checksum would be tried. The other half change the metadata as JSON, with lengths and
checksum made to fit: values, keys, items, and parts of other plans in their place.

Further ones have other numbers in their metadata, and are loaded and executed: that ends in outputs or in one error of
the runtime, never in an exception, and takes no time or memory that a number asks for.
"""

from __future__ import annotations

import copy
import json
import random
import re
import struct
import tracemalloc
from collections import Counter

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime import plan
from reference_runtime.calling.gate.gate import Gate
from reference_runtime.calling.gate.scheduler import Scheduler
from reference_runtime.devices import host
from reference_runtime.engine.loading import EngineServices, LiveEngine
from reference_runtime.plan import PlanError, consistency, container, metadata
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.values.enums import DataType, TensorLocation
from reference_runtime.values.enums_layers import ElementWiseOperation, ReduceOperation
from reference_runtime.values.logger import Logger
from reference_runtime.values.refusals import Refused
from tests.support.runtime.plans import PLANS, changed, metadata_of, places, resealed, seal, spelled
from tests.support.runtime.recording_v3 import RecorderV3, shop_v3

CHUNKS = [0, *(pytest.param(chunk, marks=pytest.mark.nightly) for chunk in range(1, 20))]
MUTATIONS = 500
"""Of each of the two kinds in a chunk."""


def built():
    """The bytes of a plan that a builder made: a plugin between operations, whose shape comes from a tensor."""
    with shop_v3() as made:
        network = made.builder.create_network()
        x = network.add_input("x", DataType.FLOAT, (-1, 3, -1))
        shape = network.add_shape(x).get_output(0)
        index = network.add_constant((1,), np.array([1], np.int64)).get_output(0)
        rows = network.add_gather(shape, index, 0).get_output(0)
        rest = network.add_constant((1,), np.array([-1], np.int64)).get_output(0)
        wanted = network.add_concatenation([rows, rest]).get_output(0)
        shuffle = network.add_shuffle(x)
        shuffle.set_input(1, wanted)
        (scaled,) = made.add(network, [shuffle.get_output(0)], RecorderV3(made.tape))
        soft = network.add_softmax(scaled).get_output(0)
        low = network.add_reduce(soft, ReduceOperation.MAX, 1, keep_dims=True).get_output(0)
        made.mark(network, [network.add_elementwise(soft, low, ElementWiseOperation.SUM).get_output(0)])
        network.mark_output_for_shapes(wanted)
        made.config.add_optimization_profile(profile_for(made))
        return made.build(network)


def profile_for(made):
    profile = made.builder.create_optimization_profile()
    profile.set_shape("x", (1, 3, 1), (2, 3, 4), (4, 3, 8))
    return profile


sound = consistency.check
SOURCES = [built(), *(plan.write(made) for made in PLANS.values())]
HEADER = struct.Struct("<8sIII")
VALUES = [
    *[None, True, False, -1, 0, 1, 2, 3, 7, 8, 9, 255, 256, -2, 1 << 20, 1 << 31, (1 << 63) - 1, 1 << 63, 10**30],
    *["", "x", "y", "é", "\ud800", "PLUGIN_V2", "PLUGIN_V3", "SHAPE", "CAST", "INPUT", "SIZE", "a" * 70_000],
    *[0.5, -1.0, 1e300, [], [0], [[]], {}, {"a": 1}, [-1, 3, -1], [[1, 3, 1]] * 3, ["VALUE", 0, 0]],
]


def flipped(dice, data):
    changed_data = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        changed_data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(changed_data)


def cut(dice, data):
    first, last = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    return data[:first] + data[last:] if dice.random() < 0.5 else data[:first]


def spliced(dice, data):
    other = dice.choice(SOURCES)
    return data[: dice.randrange(len(data))] + other[dice.randrange(len(other)) :]


def inserted(dice, data):
    place = dice.randrange(len(data) + 1)
    piece = dice.choice([dice.randbytes(dice.randint(1, 40)), data[: dice.randrange(len(data))]])
    return data[:place] + piece + data[place:]


def with_other_lengths(dice, data):
    magic, version, length, count = HEADER.unpack_from(data)
    fields = [version, length, count]
    fields[dice.randrange(3)] = dice.choice([0, 1, 2, 3, length - 1, length + 1, 1 << 20, 1 << 28, (1 << 32) - 1])
    header = HEADER.pack(magic, *fields)
    if count and dice.random() < 0.5:
        place = dice.randrange(count) * 8
        wrong = struct.pack("<Q", dice.choice([0, 1, 9, 1 << 32, (1 << 32) + 1, (1 << 64) - 1]))
        return data[: HEADER.size + place] + wrong + data[HEADER.size + place + 8 :]
    return header + data[HEADER.size :]


def respelled(dice, text):
    """Write the same values in another way."""
    values = json.loads(text)
    if dice.random() < 0.5:
        return json.dumps(values, sort_keys=True, separators=(", ", ":")).encode()
    return json.dumps(dict(reversed(values.items())), separators=(",", ":")).encode()


def with_other_text(dice, data):
    """Change the metadata's bytes and make the container fit."""
    text, blobs = container.unpack(data)
    return container.pack(dice.choice([flipped, cut, spliced, respelled])(dice, text), blobs)


def mutated_bytes(dice, data):
    mutate = dice.choice([flipped, cut, spliced, inserted, with_other_lengths, with_other_text])
    mutated = mutate(dice, data)
    return seal(mutated[:-32]) if len(mutated) > 32 and dice.random() < 0.7 else mutated


def mutated_metadata(dice, data):
    values, (_, blobs) = metadata_of(data), container.unpack(data)
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        path = dice.choice(list(places(values)))
        values = changed(values, path, other_value(dice, at(values, path)))
    if dice.random() < 0.1:
        blobs = dice.choice([blobs[1:], [*blobs, b""], [blob[:-1] for blob in blobs], blobs[::-1]])
    return container.pack(spelled(values), blobs)


def at(values, path):
    for key in path:
        values = values[key]
    return values


def other_value(dice, value):
    """Return something else: near to the value where that is possible, so that only deeper checks can see it."""
    if dice.random() < 0.6:
        return dice.choice(neighbours(dice, value))
    if dice.random() < 0.3:
        other = metadata_of(dice.choice(SOURCES))
        return copy.deepcopy(at(other, dice.choice(list(places(other)))))
    return dice.choice(VALUES)


def neighbours(dice, value):
    if isinstance(value, dict) and value:
        key = dice.choice(sorted(value))
        return [{k: v for k, v in value.items() if k != key}, {**value, "more": 0}, {**value, key: None}]
    if isinstance(value, list):
        return [value[::-1], value[1:], [*value, *value[:1]], [*value, 0], dice.sample(value, len(value))]
    if type(value) is int:
        return [value - 1, value + 1, value + 2, 0]
    if isinstance(value, str):
        return [value + "x", value[1:], value.upper(), value * 2]
    return [None, True, False, 0.25]


def around():
    return EngineServices(Gate(quiet=True), Scheduler(), Logger(), get_plugin_registry(), host.current_device())


def read(data):
    """Read a plan, within the bound on memory."""
    tracemalloc.start()
    try:
        return plan.read(data)
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak <= plan.MEMORY * len(data) + (1 << 20), f"{peak} bytes of memory for a plan of {len(data)}"


def outcome(data):
    """Return the refusal's kind, or None for a plan that was read and is sound; everything else fails the test."""
    try:
        made = read(data)
    except PlanError as error:
        return re.sub(r"[^a-z ]+.*", "", str(error))[:30]
    assert plan.write(made) == data
    sound(made)
    try:
        LiveEngine(made, around())
    except Refused as refused:
        return f"engine: {str(refused)[:20]}"
    return None


def dice_of(seed):
    return random.Random(seed)  # noqa: S311 - to be repeated, not to be secret


def outcomes(chunk, mutate):
    dice = dice_of(f"plans {chunk} {mutate.__name__}")
    return Counter(outcome(mutate(dice, dice.choice(SOURCES))) for _ in range(MUTATIONS))


@pytest.mark.parametrize("chunk", CHUNKS)
def test_bytes_that_were_changed_are_refused_or_sound(chunk):
    found = outcomes(chunk, mutated_bytes)
    assert found.total() == MUTATIONS
    assert len(found) >= 6, "no check behind the first was reached"


@pytest.mark.parametrize("chunk", CHUNKS)
def test_metadata_that_were_changed_are_refused_or_sound(chunk):
    found = outcomes(chunk, mutated_metadata)
    assert found.total() == MUTATIONS
    assert len(found) >= 20, "too few kinds of checks were reached"
    assert found[None] >= 5, "no change got through"


def test_a_reader_that_allocates_too_much_is_caught(monkeypatch):
    monkeypatch.setattr(consistency, "check", lambda _plan: bytearray(64 << 20))
    with pytest.raises(AssertionError, match="bytes of memory for a plan of"):
        outcomes(0, mutated_bytes)


def test_a_reader_that_does_not_check_whether_parts_fit_is_caught(monkeypatch):
    monkeypatch.setattr(consistency, "check", lambda _plan: None)
    with pytest.raises(PlanError):
        outcomes(0, mutated_metadata)


def test_a_reader_that_takes_any_spelling_is_caught(monkeypatch):
    monkeypatch.setattr(metadata, "require", lambda *_: None)
    with pytest.raises(AssertionError):
        outcomes(0, mutated_bytes)


#: No number is between those that this machine can allocate for a test and those that nobody can.
NUMBERS = [0, 1, 2, 5, 1 << 12, 1 << 36, 1 << 40, 1 << 47, 1 << 62, (1 << 63) - 1, -1]
PLUGIN = next(place for place, layer in enumerate(metadata_of(SOURCES[0])["layers"]) if layer["plugin"])
ENDS = ("ran", "refused", "not executed")


def with_other_numbers(dice, data):
    values = metadata_of(data)
    numbers = [path for path in places(values) if type(at(values, path)) is int]
    for _ in range(dice.choice([1, 1, 2])):
        values = changed(values, dice.choice(numbers), dice.choice(NUMBERS))
    return container.pack(spelled(values), container.unpack(data)[1])


def end_of_a_run(runtime, data):
    """Load a plan and execute it with the least extents; say how that ended."""
    engine = runtime.deserialize_cuda_engine(data)
    context = engine and engine.create_execution_context()
    if context is None:
        return "refused"
    kept = [lent(engine, context, engine.get_tensor_name(place)) for place in range(engine.num_io_tensors)]
    return "ran" if context.execute_async_v3(0) and kept else "not executed"


def lent(engine, context, name):
    """Give a tensor memory, of which an output may need more."""
    if engine.get_tensor_mode(name) == trt.TensorIOMode.INPUT:
        context.set_input_shape(name, engine.get_tensor_profile_shape(name, 0)[0])
    if engine.get_tensor_location(name) == TensorLocation.HOST:
        memory = np.ones(1 << 16, np.uint8)
        context.set_tensor_address(name, memory.ctypes.data)
    else:
        memory = host.current_device().allocate(1 << 16, label=name)
        context.set_tensor_address(name, memory.address)
    return memory


def ends_of_runs(number, chance):
    dice = dice_of(chance)
    with shop_v3() as made:
        runtime = trt.Runtime(made.log)
        sources = SOURCES[:-1]  # what is compiled needs a GPU
        return Counter(end_of_a_run(runtime, with_other_numbers(dice, dice.choice(sources))) for _ in range(number))


@pytest.mark.parametrize("number", [1_000, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_plans_with_other_numbers_run_or_are_refused(number):
    found = ends_of_runs(number, f"runs {number}")
    assert found.total() == number
    assert set(found) <= set(ENDS)
    assert found["ran"] > number // 100, "no change got through"


@pytest.mark.parametrize(
    ("path", "number", "message"),
    [
        (("layers", PLUGIN, "workspace"), (1 << 63) - 1, "an integer from 0 to 140737488355328 was expected"),
        (("traits", "aux_streams"), (1 << 31) - 1, "an integer from 0 to 1024 was expected"),
        (("layers", PLUGIN, "workspace"), 1 << 40, "bytes could not be allocated"),
    ],
)
def test_a_size_that_nobody_has_is_one_error(path, number, message):
    with shop_v3() as made:
        data = resealed(SOURCES[0], changed(metadata_of(SOURCES[0]), path, number))
        assert end_of_a_run(trt.Runtime(made.log), data) != "ran"
        assert message in made.log.errors[-1]


def test_a_tensor_that_no_memory_can_hold_is_refused():
    with shop_v3() as made:
        values = metadata_of(SOURCES[0])
        data = resealed(SOURCES[0], changed(values, ("profiles", 0, "ranges", 0, 2), [1 << 46, 3, 8]))
        assert end_of_a_run(trt.Runtime(made.log), data) == "refused"
        assert "bytes" in made.log.errors[-1]


def test_the_mutations_are_as_many_as_promised():
    assert len(CHUNKS) * MUTATIONS * 2 == 20_000
