"""The capabilities of an IPluginV3: C++'s queries for them, and the attributes that C++ reads without a call.

Theory. An IPluginV3 returns capabilities: itself or other objects, created once or for each query. The gate knows the
plugin of each capability, so that a call on a capability counts for the whole plugin. The bindings keep a reference to
each returned capability for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound import bound_class
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.callbacks.quick import CALLBACKS as QUICK_CALLBACKS
from reference_runtime.calling.callbacks.v2 import NoValue, invoke, made_by, read_attribute
from reference_runtime.calling.callbacks.v3 import capability_callbacks
from reference_runtime.calling.lifecycle.quick import QUICK
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.calling.lifecycle.v3 import V3
from reference_runtime.interfaces.quick import IPluginV3QuickAOTBuild, IPluginV3QuickCore
from reference_runtime.interfaces.v3 import IPluginV3OneBuild, IPluginV3OneCore, is_quick
from reference_runtime.values.enums import PluginCapabilityType

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Gate

_CORE: Final = PluginCapabilityType.CORE
_BUILD: Final = PluginCapabilityType.BUILD
_RUNTIME: Final = PluginCapabilityType.RUNTIME


class Capabilities:
    """A plugin and its capabilities for a phase; each may be the plugin itself.

    A plugin that is compiled ahead of time has no runtime capability. Its ``runtime`` is the build capability, which
    receives the tactic.
    """

    anew: bool = False
    """Whether an `IPluginV3` in a build is asked for a capability before each use."""

    def __init__(self, plugin: Any, core: Any, build: Any | None, runtime: Any | None) -> None:
        self.plugin: Final = plugin
        self._known = {_CORE: core, _BUILD: build, _RUNTIME: runtime}

    @property
    def core(self) -> Any:
        """The capability that identifies the plugin."""
        return self._of(_CORE)

    @property
    def build(self) -> Any:
        """The capability for the build; None in an engine."""
        return self._of(_BUILD)

    @property
    def runtime(self) -> Any:
        """The capability for contexts."""
        return self._of(_RUNTIME)

    @property
    def is_compiled(self) -> bool:
        """Return whether the engine gets a kernel in place of a plugin."""
        return is_compiled(self._known[_BUILD])

    def _of(self, kind: PluginCapabilityType) -> Any:
        return self._known[kind]


class _OfABuild(Capabilities):
    """The capabilities of an `IPluginV3` in a build.

    RUNTIME is asked for when it is first used, as NVIDIA's builder does (observed on TensorRT-RTX 1.7.1).
    """

    def __init__(self, gate: Gate, plugin: Any, core: Any, build: Any) -> None:
        super().__init__(plugin, core, build, None)
        self._gate = gate

    def _of(self, kind: PluginCapabilityType) -> Any:
        if self.anew or self._known[kind] is None:
            self._known[kind] = part = capability(self._gate, self.plugin, kind)
            if part is None:
                raise null_pointer(self.plugin, Call.GET_CAPABILITY_INTERFACE.value)
        return self._known[kind]


def null_pointer(plugin: object, method: str) -> NativeCrash:
    """Return the error for a null pointer that a plugin's method returned and that TensorRT uses unchecked."""
    return NativeCrash(
        f"{method} of a {type(plugin).__name__} gave a null pointer: TensorRT dies here. "
        f"Return an object from {method}, and let no exception out of it."
    )


def capabilities(gate: Gate, plugin: object, *, build: bool) -> Capabilities | None:
    """Query the capabilities of the build phase or of the runtime phase; return None if one is missing.

    In a build, RUNTIME of an `IPluginV3` is not queried here, but at its first use.
    """
    core = capability(gate, plugin, _CORE)
    if core is None:
        return None
    builds = capability(gate, plugin, _BUILD) if build else None
    if build and builds is None:
        return None
    if is_compiled(builds):
        return Capabilities(plugin, core, builds, builds)
    if builds is not None and not is_quick(builds):
        return _OfABuild(gate, plugin, core, builds)
    runtime = capability(gate, plugin, _RUNTIME)
    return None if runtime is None else Capabilities(plugin, core, builds, runtime)


def capability(gate: Gate, plugin: object, kind: PluginCapabilityType) -> Any | None:
    """Return one capability of a plugin, or None.

    The bindings never release the returned object, even if it is the plugin itself. So the gate keeps it for ever.
    """
    gate.advance(plugin, Call.GET_CAPABILITY_INTERFACE, QUICK if is_quick(plugin) else V3)
    table = capability_callbacks(kind)
    kind_object = bound_class.made(PluginCapabilityType, value=int(kind))
    part = made_by(gate, plugin, Call.GET_CAPABILITY_INTERFACE, kind_object, table=table)
    if part is not None:
        gate.join(plugin, part, int(kind))
        gate.leak(part)
    return part


def plugin_name(gate: Gate, core: object) -> str | None:
    """Return the plugin's name, or None as C++'s null pointer."""
    return _string(gate, core, "plugin_name")


def plugin_version(gate: Gate, core: object) -> str | None:
    """Return the plugin's version, or None as C++'s null pointer."""
    return _string(gate, core, "plugin_version")


def plugin_namespace(gate: Gate, core: object) -> str | None:
    """Return the plugin's namespace, or None as C++'s null pointer."""
    return _string(gate, core, "plugin_namespace")


def num_outputs(gate: Gate, build: object) -> int:
    """Return the number of outputs: -1 if ``num_outputs`` was never assigned or ``get_num_outputs`` failed.

    A decorated plugin without ``get_num_outputs`` has 0 outputs.
    """
    if is_quick(build):
        count = _answer(gate, build, Call.GET_NUM_OUTPUTS)
        if isinstance(count, NoValue):
            return 0 if count is NoValue.MISSING else -1
        return int(count)
    return int(read_attribute(gate, build, "num_outputs", IPluginV3OneBuild))


def format_combination_limit(_gate: Gate, build: object) -> int:
    """Return the plugin's limit of combinations: 100 by default."""
    if is_quick(build):
        return int(IPluginV3OneBuild.DEFAULT_FORMAT_COMBINATION_LIMIT)
    return int(bound_class.read(build, IPluginV3OneBuild, "format_combination_limit"))


def timing_cache_id(gate: Gate, build: object) -> str | None:
    """Return the plugin's part of the key in a timing cache; None if its timings are not cached."""
    if is_quick(build):
        return _text(_answer(gate, build, Call.GET_TIMING_CACHE_ID))
    cache_id: str | None = bound_class.read(build, IPluginV3OneBuild, "timing_cache_id")
    return cache_id


def metadata_string(gate: Gate, build: object) -> str | None:
    """Return the plugin's metadata for engine inspectors, or None as C++'s null pointer."""
    if is_quick(build):
        return _text(_answer(gate, build, Call.GET_METADATA_STRING))
    text: str | None = bound_class.read(build, IPluginV3OneBuild, "metadata_string")
    return text


def _string(gate: Gate, core: object, name: str) -> str | None:
    owner = IPluginV3QuickCore if is_quick(core) else IPluginV3OneCore
    text: str | None = read_attribute(gate, core, name, owner)
    return text


def is_compiled(build: object) -> bool:
    """Say whether a build capability belongs to a plugin that is compiled ahead of time."""
    return isinstance(build, IPluginV3QuickAOTBuild) and is_quick(build)


def _answer(gate: Gate, build: object, call: Call) -> Any:
    """Return the result of a decorated plugin's method; other plugins have an attribute for it."""
    gate.advance(build, call, QUICK)
    return invoke(gate, build, call, table=QUICK_CALLBACKS)


def _text(answer: Any) -> str | None:
    return None if isinstance(answer, NoValue) else answer
