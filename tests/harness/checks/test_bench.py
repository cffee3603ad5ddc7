"""The steps of a bench that differ from what TensorRT does in one respect."""

import pytest

from harness.case import Case
from harness.checks.bench import Bench, Surroundings, fresh_bench
from reference_runtime.backends.host import use
from reference_runtime.lifecycle import LifecycleError, Stage
from tests.harness.checks.workbench import Creator, Doubler, subject_of

SHAPES = ((2, 3),)


class Noting(Doubler):
    """Notes what it is configured with."""

    def __init__(self):
        super().__init__()
        self.notes = []

    def configure_plugin(self, inputs, outputs):
        self.notes += [[list(each.desc.dims), list(each.min), list(each.max)] for each in (*inputs, *outputs)]


@pytest.fixture(name="subject")
def a_subject_with_a_dynamic_extent():
    case = Case(plugin="P", inputs=({"dims": ("N", 3), "min": (1, 3), "opt": (2, 3), "max": (4, 3)},))
    subject = subject_of(Creator(lambda _: Noting()), case)
    with use(subject.device):
        yield subject


def test_a_build_is_configured_with_wildcards_and_bounds(subject):
    bench = Bench(subject, subject.create()).configure_for_build()
    assert bench.plugin.notes == [[[-1, 3], [1, 3], [4, 3]]] * 2


def test_an_execution_can_be_configured_with_the_bounds_of_the_profile(subject):
    bench = Bench(subject, subject.create()).initialize().configure_in_profile(SHAPES)
    assert bench.plugin.notes == [[[2, 3], [1, 3], [4, 3]]] * 2


def test_a_clone_runs_only_once_it_is_taken_for_configured(subject):
    clone = fresh_bench(subject).configure(SHAPES).clone()
    with pytest.raises(LifecycleError, match="enqueue arrived while the plugin was attached to a context"):
        clone.enqueue(SHAPES, surroundings=Surroundings(workspace=0))
    run = clone.take_for_configured().enqueue(SHAPES)
    assert (run.outputs[0] == run.inputs[0] * 2).all()
    assert clone.plugin.notes == []


def test_only_what_is_not_initialized_is_made_ready(subject):
    source = Bench(subject, subject.create()).make_ready()
    clone = source.clone().make_ready()
    stages = [subject.gate.stage_of(bench.plugin) for bench in (source, clone)]
    assert stages == [Stage.INITIALIZED, Stage.ATTACHED]


def test_another_object_is_used_in_the_same_way(subject):
    bench = Bench(subject, subject.create())
    other = bench.another()
    assert other.plugin is not bench.plugin
    assert other.combination == bench.combination
