"""Which device a run takes, and who is asked what where there are two."""

import pytest

from harness.config.errors import UsageError
from harness.config.options import DeviceChoice
from harness.contract.sanitizer_tool import Tool
from harness.contract.verdict import Answer, Kind
from harness.controller.children import device_routing
from harness.process import compute_sanitizer, gpus
from harness.protocol.asked import Loaded
from harness.protocol.messages import Request

REQUEST = Request("ENQ-003", "/Bar/1", "rows")
JUDGED = Answer(Kind.JUDGED, evidence=2)
BLIND = Answer(Kind.NOT_RUN, reason="a GPU does not tell", needs_host=True)


class Child:
    """Answers with what it was given, and counts."""

    def __init__(self, *answers, loads=True):
        self.answers, self.loads = list(answers), loads
        self.asked = self.loaded = 0
        self.starts = []
        self.closed = False

    def load(self):
        self.loaded += 1
        return Loaded(ok=self.loads)

    def ask(self, _request):
        self.asked += 1
        return self.answers[0]

    def discover(self):
        return {"found by": self}

    def start(self):
        self.starts.append("rules")

    def start_importing(self):
        self.starts.append("module")

    def another(self):
        self.twin = Child(*self.answers)
        return self.twin

    def close(self):
        self.closed = True


@pytest.mark.parametrize(
    ("choice", "has_gpu", "device"),
    [("auto", True, "cuda"), ("auto", False, "host"), ("cuda", True, "cuda"), ("host", True, "host")],
)
def test_a_gpu_is_taken_where_there_is_one(monkeypatch, choice, has_gpu, device):
    monkeypatch.setattr(gpus, "usable", lambda: has_gpu)
    assert device_routing.settled(DeviceChoice(choice)) == device


def test_a_gpu_that_is_wanted_and_not_there_is_told(monkeypatch):
    monkeypatch.setattr(gpus, "usable", lambda: False)
    with pytest.raises(UsageError, match=r"^--plugin-device=cuda: CuPy finds no GPU here; install "):
        device_routing.settled(DeviceChoice.CUDA)


def test_tools_need_a_gpu():
    with pytest.raises(UsageError, match=r"^--plugin-sanitizer=memcheck,racecheck: .* looks into kernels on a GPU"):
        device_routing.insist_on_tools((Tool.MEMCHECK, Tool.RACECHECK), device_routing.HOST)


def test_tools_need_their_program(monkeypatch):
    monkeypatch.setattr(compute_sanitizer, "program_path", lambda: None)
    with pytest.raises(UsageError, match="there is no program compute-sanitizer, neither on PATH nor in CUDA's"):
        device_routing.insist_on_tools((Tool.MEMCHECK,), device_routing.CUDA)


def test_tools_that_are_here_or_not_asked_for_are_no_matter(monkeypatch):
    device_routing.insist_on_tools((), device_routing.HOST)
    monkeypatch.setattr(compute_sanitizer, "program_path", lambda: "/usr/local/cuda/bin/compute-sanitizer")
    device_routing.insist_on_tools((Tool.MEMCHECK,), device_routing.CUDA)


def test_the_host_is_asked_what_the_gpu_does_not_tell():
    host = Child(JUDGED)
    assert device_routing.GpuWithHostFallback(Child(BLIND), host).ask(REQUEST) is JUDGED
    assert device_routing.GpuWithHostFallback(Child(JUDGED), Child()).ask(REQUEST) is JUDGED


@pytest.mark.parametrize(
    ("has_library", "loads", "finder"), [(False, True, "gpu"), (True, True, "host"), (True, False, "gpu")]
)
def test_the_host_guesses_the_cases_of_a_library(has_library, loads, finder):
    """A guess may end its process, and a process that uses CUDA cannot be forked for it."""
    children = {"gpu": Child(), "host": Child(loads=loads)}
    both = device_routing.GpuWithHostFallback(*children.values(), has_library=has_library)
    assert both.discover() == {"found by": children[finder]}


def test_what_the_gpu_finds_wrong_counts_though_the_host_would_show_more():
    wrong = Answer(Kind.JUDGED, evidence=1, broken=1, needs_host=True)
    host = Child(JUDGED)
    assert device_routing.GpuWithHostFallback(Child(wrong), host).ask(REQUEST) is wrong
    assert host.asked == 0


@pytest.mark.parametrize(
    "host",
    [
        Child(Answer(Kind.NOT_RUN, needs_device=True)),
        Child(Answer(Kind.JUDGED, evidence=1, stand_ins=("scale",))),
        Child(JUDGED, loads=False),
    ],
)
def test_the_gpu_s_answer_stays_where_the_host_cannot_run_the_plugin(host):
    assert device_routing.GpuWithHostFallback(Child(BLIND), host).ask(REQUEST) is BLIND


def test_another_one_asks_the_twins_of_both():
    host = Child(BLIND)
    another = device_routing.GpuWithHostFallback(Child(JUDGED), host).another()
    assert another.ask(REQUEST) is JUDGED
    assert host.loaded == 1  # before its twin was forked
    assert (host.twin.loaded, host.twin.asked) == (0, 0)


@pytest.mark.parametrize("begins", ["start", "load"])
def test_both_children_import_the_module_at_the_same_time(begins):
    """The host's child took two seconds of a run on a GPU, before its first rule."""
    gpu, host = Child(), Child()
    both = device_routing.GpuWithHostFallback(gpu, host)
    getattr(both, begins)()
    both.load()
    assert host.starts == ["module"]
    assert host.loaded == 0


def test_both_children_are_closed():
    gpu, host = Child(), Child()
    device_routing.GpuWithHostFallback(gpu, host).close()
    assert gpu.closed
    assert host.closed
