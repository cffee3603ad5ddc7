"""Make plugins with an empty ``enqueue``, to measure the cost of the call itself with the same number of tensors."""

from __future__ import annotations

import copy
from types import ModuleType
from typing import TYPE_CHECKING, Any

from harness.contract.finding import NotRun
from harness.contract.interface import Interface
from reference_runtime.plugin.templates import RunningPlugin

if TYPE_CHECKING:
    from harness.checks.running.driver import Driver

_V3 = ("IPluginV3", "IPluginV3OneCore", "IPluginV3OneBuild", "IPluginV3OneRuntime")


def empty_driver(driver: Driver) -> Driver:
    """Return a prepared driver for an empty plugin of the same interface, with as many inputs and outputs."""
    subject = driver.subject
    if subject.interface is Interface.DECORATED:
        empty = _empty_decorated(driver.plugin)
    else:
        empty = _empty(subject.trt, subject.interface, len(driver.combination.outputs))
    return driver.of(empty).prepare()


def _empty(trt: ModuleType, interface: Interface, outputs: int) -> Any:
    """Return a plugin of an interface that has only the methods that it needs to run."""
    is_v3 = interface is Interface.V3
    bases = tuple(getattr(trt, name) for name in (_V3 if is_v3 else (interface.value,)))

    class Empty(*bases):  # type: ignore[misc] # the bases are those of the level
        def __init__(self) -> None:
            for base in bases:
                base.__init__(self)
            setattr(self, "plugin_name" if is_v3 else "plugin_type", "Empty")
            self.plugin_version, self.plugin_namespace, self.num_outputs = "1", "", outputs

        def get_capability_interface(self, _kind: Any) -> Any:
            return self

        def attach_to_context(self, *_: Any) -> Any:
            return Empty() if is_v3 else None

        def execute_async(self, *_: Any) -> int:
            return 0

        def configure_plugin(self, *_: Any) -> None:
            pass

        configure_with_format = set_tactic = on_shape_change = enqueue = configure_plugin

    return Empty()


def _empty_decorated(plugin: Any) -> RunningPlugin:
    """Return the same plugin with an ``impl`` that does nothing."""
    if not isinstance(plugin, RunningPlugin):
        raise NotRun("it is compiled ahead of time: an engine launches its kernel, and runs no Python")
    definition = copy.copy(plugin.definition)
    definition.impl_func = lambda *_, **__: None
    return RunningPlugin(definition, plugin.attrs)
