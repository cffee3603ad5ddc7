"""The documented order of calls over a whole life: build, deserialization, execution, destruction."""

from __future__ import annotations

import gc
from collections import Counter

import pytest

from reference_runtime.bound import lifetimes
from reference_runtime.calling.gate.gate import Gate, Phase
from reference_runtime.calling.lifecycle.table import BORN, NEXT, Call, Stage
from tests.support.runtime.recording import bind, shop

QUERIES = ("get_output_datatype", "get_output_dimensions", "supports_format_combination")
SEEDS = range(8)


def live_through(seed=0, chain=1, profiles=1, contexts=1, gate=None):
    """Build an engine, run it in some contexts, and let everything go; return the shop."""
    with shop(seed, gate=gate) as made:
        for _ in range(profiles):
            made.profile()
        network = made.network(chain=chain)
        engine = made.engine(network)
        for _ in range(contexts):
            context = engine.create_execution_context()
            for shape in [(1, 3, 2), (4, 3, 8)]:
                buffers = bind(context, {"x0": shape})
                assert context.execute_async_v3(0), made.log.errors
                assert context.execute_v2([buffer.address for buffer in buffers.values()])
        del network, engine, context
        lifetimes.close(made.builder)
        gc.collect()
    assert made.gate.failures == []
    return made


def test_one_layer_of_one_profile_is_called_in_the_documented_order():
    tape = live_through().tape
    user, network, builder, engine, context = 1, 2, 3, 4, 5
    assert tape.without(*QUERIES) == [
        (user, "clone"),  # add_plugin_v2
        (network, "clone"),  # build
        (builder, "configure_plugin"),
        (builder, "get_workspace_size"),
        (builder, "initialize"),
        (builder, "configure_plugin"),
        (builder, "enqueue"),
        (builder, "terminate"),
        (builder, "configure_plugin"),
        (builder, "get_workspace_size"),
        (builder, "serialize"),
        (builder, "serialize"),
        (builder, "serialize"),
        (builder, "destroy"),
        (engine, "initialize"),  # deserialize_cuda_engine
        (engine, "clone"),  # create_execution_context
        (context, "configure_plugin"),
        (context, "enqueue"),
        (context, "enqueue"),
        (context, "configure_plugin"),
        (context, "enqueue"),
        (context, "enqueue"),
        (network, "destroy"),
        (context, "destroy"),
        (engine, "terminate"),
        (engine, "destroy"),
    ]


def test_every_profile_is_configured_for_building_and_run():
    tape = live_through(profiles=3).tape
    builder = [method for who, method in tape.without(*QUERIES) if who == 3]
    assert builder == [
        *["configure_plugin", "get_workspace_size"] * 3,
        "initialize",
        *["configure_plugin", "enqueue"] * 3,
        "terminate",
        *["configure_plugin", "get_workspace_size"] * 3,
        *["serialize"] * 3,
        "destroy",
    ]


def test_types_and_shapes_are_asked_for_before_formats():
    tape = live_through().tape
    order = [method for _, method, _ in tape.of(*QUERIES)]
    assert order == sorted(order, key=QUERIES.index)


class StageJudge:
    """Walks each object through the lifecycle by what really reached it."""

    def __init__(self):
        self.stages: dict[str, Stage] = {}
        self.parents: dict[str, Stage] = {}
        self.count: Counter = Counter()

    def before(self, event):
        call = Call(event.method)
        self.count[event.target, event.method] += 1
        if event.target.startswith("Recorder"):
            stage = self.stages.setdefault(event.target, Stage.CREATED)
            assert call in NEXT[stage], f"{event.method} while {stage}"
            self.stages[event.target] = NEXT[stage][call]

    def after(self, event, outcome):
        call = Call(event.method)
        if call in BORN:
            gate_name = self.gate.name_of(outcome.value)
            source = self.stages[event.target] if call is Call.CLONE else None
            self.stages[gate_name] = BORN[call][source]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_object_lives_by_the_lifecycle_and_every_pair_is_balanced(seed):
    judge = StageJudge()
    judge.gate = Gate(quiet=True, observers=[judge])
    made = live_through(seed, chain=2, profiles=2, contexts=2, gate=judge.gate)
    for owned in made.gate.owned:
        assert owned.destroyed
        assert judge.count[owned.name, "destroy"] == 1
        assert judge.count[owned.name, "initialize"] == judge.count[owned.name, "terminate"]
    objects = {name for name, _ in judge.count if name.startswith("Recorder")}
    users = objects - {owned.name for owned in made.gate.owned}
    assert {judge.stages[name] for name in objects - users} == {Stage.DESTROYED}
    assert all(judge.count[name, "destroy"] == 0 for name in users), "the user destroys what is the user's"


@pytest.mark.parametrize("seed", SEEDS)
def test_a_context_clone_is_never_initialized_nor_terminated(seed):
    made = live_through(seed, contexts=2)
    clones = [owned.name for owned in made.gate.owned if owned.phase is Phase.CONTEXT]
    assert len(clones) == 2
    for name in clones:
        methods = made.tape.methods(int(name.partition("#")[2]))
        assert not {"initialize", "terminate"} & set(methods)
        assert methods[-1] == "destroy"


def test_seeds_other_than_0_change_what_no_document_fixes():
    traces = {tuple(live_through(seed, profiles=2).tape.without()) for seed in SEEDS}
    assert len(traces) > len(SEEDS) // 2


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_the_seed_the_documented_order_holds(seed):
    tape = live_through(seed, profiles=2).tape
    for number in range(1, tape.objects + 1):
        methods = [method for method in tape.methods(number) if method not in (*QUERIES, "serialize", "clone")]
        if "initialize" in methods and "enqueue" in methods:
            first = methods.index("initialize")
            assert methods[:first] == ["configure_plugin", "get_workspace_size"] * (first // 2)
            assert methods[first + 1] == "configure_plugin"
            assert "enqueue" not in methods[methods.index("terminate") :]
