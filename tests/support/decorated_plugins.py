"""Decorated plugins of tests end with the test: what a process keeps of them is put back."""

import contextlib

from reference_runtime import plugin as trtp
from reference_runtime.plugin.definitions import DEFINITIONS
from reference_runtime.registry.registry import get_plugin_registry


@contextlib.contextmanager
def forgotten():
    """Put back afterwards what was registered before."""
    registry, known, named = get_plugin_registry(), dict(DEFINITIONS), dict(vars(trtp.op))
    stored, events = registry.snapshot(), list(registry.events)
    try:
        yield
    finally:
        registry.restore(stored)
        registry.events[:] = events
        for there, before in ((DEFINITIONS, known), (vars(trtp.op), named)):
            there.clear()
            there.update(before)
