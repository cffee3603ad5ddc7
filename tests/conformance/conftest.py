"""Judging a plugin that a test writes down, by one rule, in this process."""

import contextlib
import importlib
import sys
import types

import pytest

import reference_runtime
from harness.cases.case import parse_case
from harness.child import import_names
from harness.child.rule_answers import answer_of
from harness.subject.subject import PluginOrigin, Subject
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.devices.host import HostDevice, use

BASES = ("scale", "layouts", "pad", "pair", "pool", "ramp", "scratch", "table", "tuned", "scale_v3", "resource_v3")


@contextlib.contextmanager
def names():
    """Let ``tensorrt`` and ``cupy`` be ours within."""
    others = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in ("tensorrt", "cupy")}
    import_names.install(cupy=True)
    try:
        yield
    finally:
        import_names.uninstall()
        sys.modules.update(others)


@pytest.fixture(scope="session")
def sound():
    """The sound plugins that witnesses build upon: ``sound.pad.Pad``, ``sound.pad.PAD_CASES``."""
    with names():
        modules = {name: importlib.import_module(f"plugin_examples.faulty.bases.sound_{name}") for name in BASES}
    return types.SimpleNamespace(**modules)


@pytest.fixture
def subject_of():
    """Return ``subject_of(creator class, plugin class, *cases)``: the subject on the first case."""

    def make(creator_class, plugin_class, *entries):
        creator = type("Creator", (creator_class,), {"plugin_class": plugin_class})()
        cases = tuple(parse_case(entry, origin="a test") for entry in entries)
        origin = PluginOrigin("a test", "", (creator,), (), registered=True, siblings=cases)
        return Subject(reference_runtime, creator, cases[0], origin, Gate(quiet=True), HostDevice())

    return make


@pytest.fixture
def judge():
    """Return ``judge(rule, subject)``: the answer, without what the rule requires."""

    def ask(rule, subject):
        with names(), watching(subject.gate), use(subject.device):
            return answer_of(rule, subject)

    return ask
