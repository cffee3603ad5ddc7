"""Plugins whose ``enqueue`` does nothing: what a call costs by itself, for so many inputs and outputs."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from harness.contract.finding import NotRun
from harness.contract.interface import IMPLICIT_BATCH, Interface
from reference_runtime.plugin.templates import RunningPlugin

if TYPE_CHECKING:
    from types import ModuleType

    from harness.checks.running.driver import Driver


def empty_bench(bench: Driver) -> Driver:
    """Return a bench for an empty plugin of the same interface, with as many inputs and outputs, made ready alike."""
    interface, outputs = bench.subject.interface, len(bench.combination.outputs)
    if interface is Interface.DECORATED:
        return bench.of(_empty_decorated(bench.plugin)).prepare()
    if interface in IMPLICIT_BATCH:
        return bench.of(_empty_implicit(bench.subject.trt, interface, outputs)).prepare()
    kind = _empty_v3 if interface is Interface.V3 else _empty_v2
    return bench.of(kind(bench.subject.trt, outputs)).prepare()


def _empty_implicit(trt: ModuleType, interface: Interface, outputs: int) -> Any:
    base = getattr(trt, interface.value)

    class Empty(base):  # type: ignore[misc, valid-type] # the base is that of the level
        def __init__(self) -> None:
            base.__init__(self)
            self.plugin_type, self.plugin_version, self.plugin_namespace = "Empty", "1", ""
            self.num_outputs = outputs

        def configure_with_format(self, *_: Any) -> None:
            pass

        def configure_plugin(self, *_: Any) -> None:
            pass

        def execute_async(self, *_: Any) -> int:
            return 0

    return Empty()


def _empty_decorated(plugin: Any) -> RunningPlugin:
    """Return the same plugin with an ``impl`` that does nothing: what is done around it is not the user's."""
    if not isinstance(plugin, RunningPlugin):
        raise NotRun("it is compiled ahead of time: an engine launches its kernel, and runs no Python")
    definition = copy.copy(plugin.definition)
    definition.impl_func = lambda *_, **__: None
    return RunningPlugin(definition, plugin.attrs)


def _empty_v2(trt: ModuleType, outputs: int) -> Any:
    class Empty(trt.IPluginV2DynamicExt):  # type: ignore[misc, name-defined] # the base is that of the level
        def __init__(self) -> None:
            trt.IPluginV2DynamicExt.__init__(self)
            self.plugin_type, self.plugin_version, self.plugin_namespace = "Empty", "1", ""
            self.num_outputs = outputs

        def configure_plugin(self, inputs: Any, outputs: Any) -> None:
            pass

        def enqueue(self, *_: Any) -> None:
            pass

    return Empty()


def _empty_v3(trt: ModuleType, outputs: int) -> Any:
    bases = (trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime)

    class Empty(*bases):  # type: ignore[misc] # the bases are those of the level
        def __init__(self) -> None:
            for base in bases:
                base.__init__(self)
            self.plugin_name, self.plugin_version, self.plugin_namespace = "Empty", "1", ""
            self.num_outputs = outputs

        def get_capability_interface(self, _kind: Any) -> Any:
            return self

        def configure_plugin(self, inputs: Any, outputs: Any) -> None:
            pass

        def attach_to_context(self, _context: Any) -> Any:
            return Empty()

        def set_tactic(self, tactic: Any) -> None:
            pass

        def on_shape_change(self, inputs: Any, outputs: Any) -> None:
            pass

        def enqueue(self, *_: Any) -> None:
            pass

    return Empty()
