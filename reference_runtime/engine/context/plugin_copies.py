"""A context's own copy of a plugin, of each interface: how it is made, prepared, run and destroyed."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, Final, Protocol

from reference_runtime.calling.adapters.version_2 import DYNAMIC, IMPLICIT_BATCH
from reference_runtime.calling.adapters.version_3 import DECORATED, V3
from reference_runtime.calling.trampolines import implicit_batch, v2, v3
from reference_runtime.engine.context.execution_bounds import execution_bounds
from reference_runtime.engine.context.kernels import launch
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reference_runtime.calling.adapters.plugin_interface import PluginInterface
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.engine.loading import EngineServices, LiveLayer
    from reference_runtime.plan import KernelPlan
    from reference_runtime.values.descriptions import Description, Range


class PluginCopy(Protocol):
    """The context's object in place of a layer's plugin."""

    target: Any
    """The object whose ``enqueue`` is called."""
    watches_addresses: bool
    """Whether it is prepared again when an input has moved."""

    def prepare(self, wanted: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Pass it the dimensions of the next runs, or raise `Refused`."""
        ...

    def enqueue(
        self,
        wanted: Sequence[Description],
        used: Sequence[int],
        num_inputs: int,
        lent: Lent,
    ) -> bool:
        """Run it, and say whether that worked."""
        ...

    def destroy(self) -> None:
        """Let it go."""
        ...


Lent = tuple[int, int]
"""The address of the workspace, and the stream."""


class _Called(abc.ABC):
    """A copy whose ``enqueue`` is a user's: the call, and the check of its result."""

    @staticmethod
    @abc.abstractmethod
    def call(*arguments: Any) -> int:
        """Call ``enqueue`` as the interface has it; 0 is success."""

    def __init__(self, target: Any, around: EngineServices) -> None:
        self.target = target
        self._around = around

    def enqueue(
        self,
        wanted: Sequence[Description],
        used: Sequence[int],
        num_inputs: int,
        lent: Lent,
    ) -> bool:
        """Run it, and say whether that worked."""
        n = num_inputs
        status = self.call(self._around.gate, self.target, wanted[:n], wanted[n:], used[:n], used[n:], *lent)
        return status == v2.SUCCESS


class CopyV2(_Called):
    """A clone of an `IPluginV2DynamicExt`; it is not initialized, its source is."""

    watches_addresses = False
    call = staticmethod(v2.enqueue)

    def prepare(self, wanted: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Configure it in the execution phase, and perhaps ask for its workspace."""
        around = self._around
        shown = execution_bounds(around.scheduler, wanted, ranges)
        v2.configure_plugin(around.gate, self.target, shown[:num_inputs], shown[num_inputs:])
        if around.scheduler.choose("workspace asked for while executing", [False, True]):
            v2.get_workspace_size(around.gate, self.target, wanted[:num_inputs], wanted[num_inputs:])

    def destroy(self) -> None:
        """Let it go."""
        v2.destroy(self._around.gate, self.target)


class CopyImplicit(_Called):
    """A plugin of an implicit-batch interface: a clone that is attached to the context, or the engine's own object."""

    watches_addresses = False
    call = staticmethod(implicit_batch.enqueue)

    def __init__(self, plugin: Any, around: EngineServices, *, shared: bool) -> None:
        super().__init__(plugin, around)
        self._shared = shared
        implicit_batch.attach_to_context(around.gate, plugin)

    def prepare(self, wanted: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Do nothing: this plugin is not configured again."""

    def destroy(self) -> None:
        """Detach and release it; the engine keeps a shared one."""
        if not self._shared:
            implicit_batch.detach_from_context(self._around.gate, self.target)
            implicit_batch.destroy(self._around.gate, self.target)


class CopyV3(_Called):
    """The object that an `IPluginV3` attached to a context, with the tactic that the builder chose.

    For a decorated plugin it is a clone, which gets no shapes.
    """

    watches_addresses = True
    call = staticmethod(v3.enqueue)

    def __init__(self, plugin: Any, runtime: Any, layer: LiveLayer, around: EngineServices) -> None:
        super().__init__(runtime, around)
        self._plugin = plugin
        self._layer = layer
        self._has_tactic = False
        if around.scheduler.choose("tactic set when a context is created", [False, True]):
            self._set_tactic()

    def prepare(self, wanted: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:  # noqa: ARG002
        """Set its tactic, once or every time, and name the dimensions."""
        again = self._around.scheduler.choose("tactic set with every change of shape", [False, True])
        if again or not self._has_tactic:
            self._set_tactic()
        n = num_inputs
        status = v3.on_shape_change(self._around.gate, self.target, wanted[:n], wanted[n:])
        if status != v3.SUCCESS:
            raise Refused(f"{self._layer.plan.name}: the plugin's on_shape_change failed", Reason.INTERNAL)

    def destroy(self) -> None:
        """Let it go."""
        v3.destroy(self._around.gate, self._plugin)

    def _set_tactic(self) -> None:
        plan = self._layer.plan
        tactic = plan.plugin.tactic if plan.plugin is not None else 0
        if v3.set_tactic(self._around.gate, self.target, tactic) != v3.SUCCESS:
            raise Refused(f"{plan.name}: the plugin's set_tactic({tactic}) failed", Reason.INTERNAL)
        self._has_tactic = True


class CompiledCopy:
    """The context's object for a plugin that was compiled ahead of time: its kernel, and no Python."""

    watches_addresses = False
    target = None

    def __init__(self, kernel: KernelPlan, around: EngineServices) -> None:
        self._kernel = kernel
        self._around = around

    def prepare(self, wanted: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Do nothing: the launch parameters follow from the dimensions at hand."""

    def enqueue(
        self,
        wanted: Sequence[Description],
        used: Sequence[int],
        num_inputs: int,
        lent: Lent,
    ) -> bool:
        """Launch the kernel."""
        launch(self._around.device, self._kernel, wanted, used, num_inputs, stream=lent[1])
        return True

    def destroy(self) -> None:
        """Do nothing: there is no object."""


def copied(layer: LiveLayer, around: EngineServices, resource_context: object) -> PluginCopy:
    """Return a copy of a layer's plugin for a context, or raise `Refused` and leave no copy."""
    if layer.plan.kernel is not None:
        return CompiledCopy(layer.plan.kernel, around)
    return _COPIES[_interface(layer)](layer, around, resource_context)


def _interface(layer: LiveLayer) -> PluginInterface:
    if layer.interface is None:
        raise TypeError("a layer without a plugin needs no copy")
    return layer.interface


def _cloned(layer: LiveLayer, around: EngineServices) -> Any:
    clone = _interface(layer).clone(around.gate, layer.plugin)
    if clone is None:
        raise Refused(f"{layer.plan.name}: the plugin could not be cloned for the context", Reason.INTERNAL)
    return clone


def _copy_implicit(layer: LiveLayer, around: EngineServices, _resource_context: object) -> CopyImplicit:
    shared = not implicit_batch.is_attached(layer.plugin)
    return CopyImplicit(layer.plugin if shared else _cloned(layer, around), around, shared=shared)


def _attached_v3(layer: LiveLayer, around: EngineServices, resource_context: object) -> CopyV3:
    runtime = None if layer.capabilities is None else layer.capabilities.runtime
    attached = v3.attach_to_context(around.gate, runtime, resource_context)
    if attached is None:
        raise Refused(f"{layer.plan.name}: the plugin could not be attached to the context", Reason.INTERNAL)
    return _with_capabilities(attached, layer, around)


def _with_capabilities(attached: Any, layer: LiveLayer, around: EngineServices) -> CopyV3:
    try:
        return CopyV3(attached, _runtime(attached, layer, around.gate), layer, around)
    except Refused:
        v3.destroy(around.gate, attached)
        raise


def _runtime(attached: Any, layer: LiveLayer, gate: Gate) -> Any:
    found = v3.capabilities(gate, attached, build=False)
    if found is None:
        why = f"{layer.plan.name}: what attach_to_context returned has no CORE or RUNTIME capability"
        raise Refused(why, Reason.INTERNAL)
    return found.runtime


_COPIES: Final[Mapping[PluginInterface, Callable[[LiveLayer, EngineServices, object], PluginCopy]]] = {
    DYNAMIC: lambda layer, around, _: CopyV2(_cloned(layer, around), around),
    IMPLICIT_BATCH: _copy_implicit,
    V3: _attached_v3,
    DECORATED: lambda layer, around, _: _with_capabilities(_cloned(layer, around), layer, around),
}
