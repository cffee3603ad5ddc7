"""An empty registry for each test, and modules whose source a test writes down."""

import sys
import types

import pytest

from reference_runtime.registry.registry import get_plugin_registry


@pytest.fixture(autouse=True)
def _empty_registry():
    registry = get_plugin_registry()
    stored, events = registry.snapshot(), list(registry.events)
    registry.restore({})
    registry.events.clear()
    yield
    registry.restore(stored)
    registry.events[:] = events


@pytest.fixture
def imported(monkeypatch):
    """Import a module whose source the test writes down."""

    def run(name, source):
        module = types.ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        exec("import reference_runtime as trt\n" + source, vars(module))  # noqa: S102 - a test's own text
        return module

    return run
