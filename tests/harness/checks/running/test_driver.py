"""The steps of a driver that differ from what TensorRT does in one respect."""

import dataclasses

import pytest

import reference_runtime as trt
from harness.cases.case import Case
from harness.checks.running.driver import Driver, fresh_driver
from harness.checks.running.single_run import RunConditions
from harness.contract.finding import CallbackFailedError, NotRun
from harness.contract.interface import Interface
from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.bridges import cupy as cp
from reference_runtime.calling.lifecycle.table import LifecycleError, Stage
from reference_runtime.devices import host
from reference_runtime.devices.host import use
from tests.support.workbench import Creator, CreatorV3, Doubler, TilerV3, subject_of

SHAPES = ((2, 3),)


class Noting(Doubler):
    """Notes what it is configured with."""

    def __init__(self):
        super().__init__()
        self.notes = []

    def configure_plugin(self, inputs, outputs):
        self.notes += [[list(each.desc.dims), list(each.min), list(each.max)] for each in (*inputs, *outputs)]


class Counting(TilerV3):
    """Finds one element, says so in its second output, and notes the dimensions that it is shown of the first."""

    shown = ()

    def __init__(self):
        super().__init__()
        self.num_outputs = 2

    def get_output_data_types(self, types):
        return [*types, trt.DataType.INT32]

    def get_output_shapes(self, inputs, _shape_inputs, builder):
        size = builder.declare_size_tensor(1, inputs[0][0], inputs[0][0])
        return [trt.DimsExprs([size, inputs[0][1]]), trt.DimsExprs(0)]

    def supports_format_combination(self, pos, in_out, _num_inputs):
        wanted = trt.DataType.INT32 if pos == 2 else trt.DataType.FLOAT
        return in_out[pos].desc.type == wanted and in_out[pos].desc.format == trt.TensorFormat.LINEAR

    def enqueue(self, _input_desc, output_desc, _inputs, outputs, *_):
        self.shown = tuple(output_desc[0].dims)
        host.view(outputs[1], 4)[:] = bytes([1, 0, 0, 0])


@pytest.fixture(name="subject")
def a_subject_with_a_dynamic_extent():
    case = Case(plugin="P", inputs=({"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)},))
    subject = subject_of(Creator(lambda _: Noting()), case)
    with use(subject.device):
        yield subject


def test_a_build_is_configured_with_wildcards_and_bounds(subject):
    driver = Driver(subject, subject.create()).configure_for_build()
    assert driver.plugin.notes == [[[-1, 3], [1, 3], [4, 3]]] * 2


def test_an_execution_can_be_configured_with_the_bounds_of_the_profile(subject):
    driver = Driver(subject, subject.create()).initialize().configure_in_profile(SHAPES)
    assert driver.plugin.notes == [[[2, 3], [1, 3], [4, 3]]] * 2


def test_extents_that_data_decide_are_shown_as_unknown_or_as_decided(subject):
    subject = dataclasses.replace(subject, creator=CreatorV3(Counting), interface=Interface.V3, memory={})
    driver = fresh_driver(subject)
    assert driver.run(SHAPES).outputs[0].shape == (1, 3)
    assert driver.plugin.shown == (-1, 3)
    for decided, shown in {((1, 9), ()): (1, 3), ((9, 9), ()): (2, 3), ((1,), ()): (2, 3)}.items():
        run = driver.enqueue(SHAPES, conditions=RunConditions(decided=decided))
        assert (driver.plugin.shown, run.outputs[0].shape) == (shown, (1, 3))


def test_a_clone_runs_only_once_it_is_taken_for_configured(subject):
    clone = fresh_driver(subject).configure(SHAPES).clone()
    with pytest.raises(LifecycleError, match="enqueue arrived while the plugin was attached to a context"):
        clone.enqueue(SHAPES, conditions=RunConditions(workspace=0))
    run = clone.take_for_configured().enqueue(SHAPES)
    assert (run.outputs[0] == run.inputs[0] * 2).all()
    assert clone.plugin.notes == []


def test_only_what_is_not_initialized_is_made_ready(subject):
    source = Driver(subject, subject.create()).make_ready()
    clone = source.clone().make_ready()
    stages = [subject.gate.stage_of(driver.plugin) for driver in (source, clone)]
    assert stages == [Stage.INITIALIZED, Stage.ATTACHED]


def test_another_object_is_used_in_the_same_way(subject):
    driver = Driver(subject, subject.create())
    other = driver.another()
    assert other.plugin is not driver.plugin
    assert other.combination == driver.combination


class Remembering(Doubler):
    """Notes the addresses that it is given, and computes at those of ``kept``."""

    kept = ()

    def __init__(self):
        super().__init__()
        self.seen = []

    def get_workspace_size(self, *_):
        return 16

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.seen.append({"inputs": inputs[0], "outputs": outputs[0], "workspace": workspace})
        given = {**self.seen[-1], **{name: self.seen[0][name] for name in self.kept}}
        super().enqueue(input_desc, output_desc, [given["inputs"]], [given["outputs"]], workspace, stream)


@pytest.fixture(name="driver_of")
def a_driver_for_a_plugin_class():
    subjects = []

    def driver_of(plugin_class):
        case = Case(plugin="P", inputs=({"dims": (2, 3)},))
        subject = subject_of(Creator(lambda _: plugin_class()), case)
        subjects.append(use(subject.device))
        subjects[-1].__enter__()
        return fresh_driver(subject)

    yield driver_of
    for used in subjects:
        used.__exit__(None, None, None)


@pytest.mark.parametrize("moved", [("inputs",), ("outputs",), ("workspace",), ("inputs", "outputs", "workspace")])
def test_only_what_is_named_moves(driver_of, moved):
    driver = driver_of(Remembering).configure(SHAPES)
    run = driver.enqueue_elsewhere(SHAPES, moved)
    first, second = driver.plugin.seen
    assert {name for name in first if first[name] != second[name]} == set(moved)
    assert (run.outputs[0] == run.inputs[0] * 2).all()
    assert run.stale_uses == []
    assert driver.subject.device.buffers == []


@pytest.mark.parametrize("name", ["inputs", "outputs"])
def test_a_use_of_what_moved_away_is_seen(driver_of, name):
    driver = driver_of(type("Stale", (Remembering,), {"kept": (name,)})).configure(SHAPES)
    assert len(driver.enqueue_elsewhere(SHAPES, (name,)).stale_uses) == 1


def test_repetition_uses_the_same_buffers(driver_of):
    driver = driver_of(Remembering).configure(SHAPES)
    again = driver.stand(SHAPES).call
    again()
    again()
    assert driver.plugin.seen[0] == driver.plugin.seen[1]


def test_work_on_another_stream_is_a_race_and_on_the_given_one_is_none(driver_of):
    class Streaming(Doubler):
        own = False

        def enqueue(self, input_desc, _output_desc, inputs, outputs, _workspace, stream):
            with cp.cuda.ExternalStream(0 if self.own else stream):
                shape = tuple(input_desc[0].dims)
                x, y = (
                    cp.ndarray(shape, "float32", cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(each, 24, None), 0))
                    for each in (inputs[0], outputs[0])
                )
                cp.multiply(x, 2, out=y)

    driver = driver_of(Streaming)
    assert driver.run(SHAPES).races == []
    driver.plugin.own = True
    assert len(driver.run(SHAPES).races) > 0


def test_frees_of_what_was_given_are_sentences(driver_of):
    class Taker(Doubler):
        def enqueue(self, _input_desc, _output_desc, inputs, *_):
            cp.cuda.runtime.free(inputs[0])

    assert driver_of(Taker).run(SHAPES).wrong_frees == ["inputs[0] was freed"]


def test_what_needs_a_gpu_is_not_run_however_lenient_the_rule_is(driver_of):
    class Kernel(Doubler):
        def enqueue(self, *_):
            raise NeedsGpu("RawKernel")

    with pytest.raises(NotRun, match="RawKernel"):
        driver_of(Kernel).run(SHAPES, conditions=RunConditions(lenient=True))


def test_poison_is_what_an_output_holds_before():
    class Idle(Doubler):
        def enqueue(self, *_):
            pass

    subject = subject_of(Creator(lambda _: Idle()), Case(plugin="P", inputs=({"dims": (2, 3)},)))
    with use(subject.device):
        run = fresh_driver(subject).run(SHAPES, conditions=RunConditions(poison=0x3B))
    assert run.raw_outputs == [b"\x3b" * 24]


class Unconfigurable(TilerV3):
    """Raises when it is configured, and has a tactic of its own number."""

    def get_output_shapes(self, inputs, *_):
        return [trt.DimsExprs(inputs[0])]

    def configure_plugin(self, *_):
        raise TypeError("no")

    def get_valid_tactics(self):
        return [1]


def test_no_tactic_is_set_after_a_failed_configuration(subject, monkeypatch):
    tactics = []
    monkeypatch.setattr(Unconfigurable, "set_tactic", lambda _, tactic: tactics.append(tactic))
    subject = dataclasses.replace(subject, creator=CreatorV3(Unconfigurable), interface=Interface.V3, memory={})
    driver = Driver(subject, subject.create())
    for step in (driver.configure_for_build, lambda: driver.initialize().configure(SHAPES)):
        with pytest.raises(CallbackFailedError, match="configure_plugin"):
            step()
    assert not tactics
