"""The shortcut of repeated executions: the same to a plugin, whatever it does with what it was given."""

from __future__ import annotations

import gc
from typing import ClassVar

import pytest

from reference_runtime.application.allocators import IOutputAllocator
from reference_runtime.bound import lifetimes
from reference_runtime.devices import host
from reference_runtime.engine.context.context import live_context
from reference_runtime.engine.context.fast_path import no_shortcut
from reference_runtime.values.enums import DataType
from tests.integration.runtime.test_context_settings import Times
from tests.support.runtime.recording import Recorder, bind, plain, shop
from tests.support.runtime.recording_v3 import RecorderV3, shop_v3

SHAPE = {"x0": (2, 3, 4)}
SHOPS = [(shop, Recorder), (shop_v3, RecorderV3)]
both = pytest.mark.parametrize(("new", "base"), SHOPS, ids=["V2", "V3"])


def is_short(context):
    return live_context(context).shortcut.call is not no_shortcut


def quiet(base, work=lambda _plugin, *_arguments: None):
    """A plugin without workspace whose enqueue does only ``work``."""

    class Quiet(base):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            self.workspace = 0

        def enqueue(self, *arguments):
            work(self, *arguments)

    return Quiet


def settled(made, **options):
    context = made.engine(**options).create_execution_context()
    bind(context, SHAPE)
    for _ in range(2):
        assert context.execute_async_v3(0), made.log.errors
    return context


class Hoarder:
    """Keeps and changes everything that it is given, and notes what it was given before it did."""

    def __init__(self, *, keeps, changes):
        self.keeps, self.changes = keeps, changes
        self.seen, self.kept = [], []

    def __call__(self, _plugin, *arguments):
        input_desc, output_desc, inputs, outputs, *rest = arguments
        objects = [input_desc, output_desc, inputs, outputs, *input_desc, *output_desc]
        assert not any(one is old for one in objects for given in self.kept for old in given)
        self.seen.append(([plain(one) for one in (input_desc, output_desc)], list(inputs), list(outputs), rest))
        if self.keeps:
            self.kept.append(objects)
        if self.changes:
            for given in [*self.kept, objects]:
                self.change(given)
            now = ([plain(one) for one in arguments[:2]], list(inputs), list(outputs), rest)
            assert now != self.seen[-1] or self.keeps
        else:
            self.kept_dims = input_desc[0].dims

    @staticmethod
    def change(given):
        first, second, third, fourth, desc, other = given
        desc.type, desc.scale, desc.dims[0], other.dims = DataType.INT8, 3.0, 77, (1, 2)
        first.append(desc)
        second.clear()
        third[:] = [9]
        fourth.append(1)


@both
@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("changes", [False, True])
def test_what_enqueue_keeps_and_changes_has_no_effect_on_the_next_call(new, base, keeps, changes):
    hoarder = Hoarder(keeps=keeps, changes=changes)
    with new(kind=quiet(base, hoarder)) as made:
        context = settled(made)
        assert is_short(context)
        hoarder.seen.clear()
        for _ in range(20):
            assert context.execute_async_v3(0)
        assert made.gate.failures == []
        assert len(hoarder.seen) == 20
        assert all(call == hoarder.seen[0] for call in hoarder.seen)
        assert hoarder.seen[0][0][0][0][0] == (2, 3, 4)


@both
def test_a_plugin_that_only_looks_keeps_its_shortcut(new, base):
    looked = []
    with new(kind=quiet(base, lambda _plugin, desc, *_: looked.append(tuple(desc[0].dims)))) as made:
        context = settled(made)
        for _ in range(20):
            assert context.execute_async_v3(0)
            assert is_short(context)
        assert looked[-1] == (2, 3, 4)


@both
def test_a_plugin_that_keeps_gives_the_shortcut_up_for_good(new, base):
    kept = []
    with new(kind=quiet(base, lambda _plugin, desc, *_: kept.append(desc))) as made:
        context = settled(made)
        for _ in range(40):
            assert context.execute_async_v3(0)
        assert not is_short(context)
        assert len({id(desc[0]) for desc in kept[2:]}) == len(kept[2:])


@both
@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), AttributeError("enqueue"), SystemExit(3)])
def test_what_a_plugin_raises_is_treated_as_on_the_long_way(new, base, error, monkeypatch):
    answers, failing, said = [], [], []

    def work(*_arguments):
        if failing:
            raise error

    with new(kind=quiet(base, work)) as made:
        context = settled(made)
        monkeypatch.setattr(made.gate, "say", said.append)
        for long in (False, True):
            if long:
                context.set_input_consumed_event(0)
            assert is_short(context) is not long
            failing.append(True)
            assert not context.execute_async_v3(0)
            failing.clear()
            answers.append((made.log.errors[-1], made.gate.failures[-1]))
            for _ in range(2):
                assert context.execute_async_v3(0)
        assert answers[0] == answers[1]
        assert not any("/context/fast_path.py(" in line for line in said)  # the frames that are shown are the users'
        assert answers[0][1].phase.value == "execution"


@both
def test_a_method_that_is_replaced_or_gone_is_noticed(new, base):
    with new(kind=quiet(base)) as made:
        context = settled(made)
        calls = []
        plugin = made.gate.owned[-1].target
        plugin.enqueue = lambda *_: calls.append(1)
        assert context.execute_async_v3(0)
        assert len(calls) == 1
        plugin.enqueue = None
        assert is_short(context)
        assert not context.execute_async_v3(0)


CHANGES = {
    "another shape": lambda context: context.set_input_shape("x0", (1, 3, 4)),
    "another address": lambda context: context.set_tensor_address("y0", host.current_device().allocate(96).address),
    "an allocator": lambda context: context.set_output_allocator("y0", IOutputAllocator()),
    "an event": lambda context: context.set_input_consumed_event(host.current_device().new_event().handle),
    "a profiler": lambda context: setattr(context, "profiler", Times()),
    "a listener": lambda context: context.set_debug_listener(None),
    "a debug state": lambda context: context.set_all_tensors_debug_state(flag=True),
    "a profile": lambda context: context.set_optimization_profile_async(1, 0),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_is_set_closes_the_shortcut(change):
    with shop(kind=quiet(Recorder)) as made:
        for _ in range(2):
            made.profile()
        context = settled(made)
        assert is_short(context)
        change(context)
        assert not is_short(context)


@both
@pytest.mark.parametrize("streams", [(0, 0), (0, 1), (1, 0)], ids=["short-short", "short-long", "long-short"])
def test_a_context_is_not_executed_twice_at_once(new, base, streams):
    first, second = (host.current_device().new_stream().handle if number else 0 for number in streams)
    waiting, answers = [], []

    def work(*_arguments):
        if waiting:
            waiting.clear()
            answers.append(made.context.execute_async_v3(second))

    with new(kind=quiet(base, work)) as made:
        made.context = settled(made)
        for _ in range(2):
            waiting.append(True)
            assert made.context.execute_async_v3(first)
        assert answers == [False, False]
        assert "the context is being executed already" in made.log.errors[-1]
        del made.context


def test_setting_the_same_again_changes_nothing():
    with shop(kind=quiet(Recorder)) as made:
        context = settled(made)
        context.set_input_shape("x0", (2, 3, 4))
        context.set_tensor_address("x0", context.get_tensor_address("x0"))
        assert is_short(context)


@both
def test_a_handle_that_is_another_object_each_time_is_the_same_stream(new, base, monkeypatch):
    with new(kind=quiet(base)) as made:
        text = str(host.current_device().new_stream().handle)
        context = settled(made)
        for _ in range(2):
            assert context.execute_async_v3(int(text))
        runs = []
        monkeypatch.setattr(live_context(context), "execute", lambda *given: runs.append(given))
        assert context.execute_async_v3(int(text)) is True
        assert runs == []


def test_another_stream_an_observer_and_the_end_take_the_long_way():
    with shop(kind=quiet(Recorder)) as made:
        context = settled(made)
        stream = host.current_device().new_stream().handle
        assert context.execute_async_v3(stream)
        assert made.tape is not None

        class Watcher:
            seen: ClassVar[list] = []

            def before(self, event):
                self.seen.append(event.method)

            def after(self, *_):
                pass

        context = settled(made)
        made.gate.observers.append(Watcher())
        assert context.execute_async_v3(0)
        assert Watcher.seen == ["enqueue"]
        made.gate.observers.clear()
        assert is_short(context)
        lifetimes.close(context)
        assert not context.execute_async_v3(0)
        assert "the context was closed" in made.log.errors[-1]


@pytest.mark.parametrize("options", [{"chain": 2}, {"inputs": 2, "outputs": 2}])
def test_more_than_one_layer_takes_the_long_way_and_more_tensors_do_not(options):
    with shop(kind=quiet(Recorder)) as made:
        engine = made.engine(**options)
        context = engine.create_execution_context()
        bind(context, {f"x{place}": (2, 3, 4) for place in range(options.get("inputs", 1))})
        for _ in range(2):
            assert context.execute_async_v3(0)
        assert is_short(context) is ("chain" not in options)


def test_a_plugin_that_has_a_workspace_takes_the_long_way():
    with shop() as made:
        assert not is_short(settled(made))


def test_wrong_arguments_are_type_errors_with_a_shortcut_too():
    with shop(kind=quiet(Recorder)) as made:
        context = settled(made)
        for arguments in ((), (0.0,), ("0",), (None,), (0, 0), (-1,)):
            with pytest.raises(TypeError):
                context.execute_async_v3(*arguments)
        assert context.execute_async_v3(stream_handle=0)
        with pytest.raises(TypeError):
            type(context).execute_async_v3(5, 0)


def test_a_shortcut_keeps_no_context_alive():
    with shop(kind=quiet(Recorder)) as made:
        context = settled(made)
        mark = len(made.tape.calls)
        gc.disable()
        try:
            del context
            assert [method for _, method, _ in made.tape.calls[mark:]] == ["destroy", "terminate", "destroy"]
        finally:
            gc.enable()
