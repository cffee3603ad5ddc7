"""Repeated executions: each gets arguments of its own, and what a plugin did with earlier ones has no effect."""

from __future__ import annotations

import gc

import pytest

from reference_runtime.devices import host
from reference_runtime.values.enums import DataType
from tests.support.runtime.recording import Recorder, bind, plain, shop
from tests.support.runtime.recording_v3 import RecorderV3, shop_v3

SHAPE = {"x0": (2, 3, 4)}
SHOPS = [(shop, Recorder), (shop_v3, RecorderV3)]
both = pytest.mark.parametrize(("new", "base"), SHOPS, ids=["V2", "V3"])


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
        hoarder.seen.clear()
        for _ in range(20):
            assert context.execute_async_v3(0)
        assert made.gate.failures == []
        assert len(hoarder.seen) == 20
        assert all(call == hoarder.seen[0] for call in hoarder.seen)
        assert hoarder.seen[0][0][0][0][0] == (2, 3, 4)


@both
@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), AttributeError("enqueue"), SystemExit(3)])
def test_what_a_plugin_raises_fails_that_execution_alone(new, base, error):
    failing = []

    def work(*_arguments):
        if failing:
            raise error

    with new(kind=quiet(base, work)) as made:
        context = settled(made)
        for _ in range(2):
            failing.append(True)
            assert not context.execute_async_v3(0)
            failing.clear()
            assert "the plugin's enqueue failed" in made.log.errors[-1]
            assert made.gate.failures[-1].phase.value == "execution"
            assert context.execute_async_v3(0)


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
        assert not context.execute_async_v3(0)


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


def test_wrong_arguments_are_type_errors():
    with shop(kind=quiet(Recorder)) as made:
        context = settled(made)
        for arguments in ((), (0.0,), ("0",), (None,), (0, 0), (-1,)):
            with pytest.raises(TypeError):
                context.execute_async_v3(*arguments)
        assert context.execute_async_v3(stream_handle=0)
        with pytest.raises(TypeError):
            type(context).execute_async_v3(5, 0)


def test_an_execution_keeps_no_context_alive():
    with shop(kind=quiet(Recorder)) as made:
        context = settled(made)
        mark = len(made.tape.calls)
        gc.disable()
        try:
            del context
            assert [method for _, method, _ in made.tape.calls[mark:]] == ["destroy", "terminate", "destroy"]
        finally:
            gc.enable()
