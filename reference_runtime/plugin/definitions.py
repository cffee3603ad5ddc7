"""The decorators, the registered plugins by name (``op.<namespace>.<name>``), and their creators in the registry."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.interfaces.creators import IPluginCreatorV3Quick
from reference_runtime.interfaces.field_collections import PluginFieldCollection
from reference_runtime.network.layers.tensors import ITensor
from reference_runtime.plugin import attributes, signatures
from reference_runtime.plugin.templates import CompiledPlugin, RunningPlugin
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.values.enums import QuickPluginCreationRequest, TensorRTPhase

if TYPE_CHECKING:
    from collections.abc import Callable

_Request = QuickPluginCreationRequest


class _PluginNamespace(types.ModuleType):
    """The plugins of one namespace: ``tensorrt.plugin.op.<namespace>``."""

    def __init__(self, namespace: str) -> None:
        super().__init__(f"tensorrt.plugin.op.{namespace}")
        self._namespace = namespace

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object '{self._namespace}' has no attribute '{name}'")

    def __repr__(self) -> str:
        return f'_PluginNamespace(namespace="{self._namespace}")'


class _Op(types.ModuleType):
    """All namespaces: ``tensorrt.plugin.op``."""

    def __init__(self) -> None:
        super().__init__("tensorrt.plugin.op")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def define_or_get(self, namespace: str) -> Any:
        """Return the namespace, which is created if it does not exist."""
        if not hasattr(self, namespace):
            setattr(self, namespace, _PluginNamespace(namespace))
        return getattr(self, namespace)


op: Final = _Op()


class PluginDef:
    """A registered plugin: its functions, and the content of their signatures. A call applies it to tensors."""

    def __init__(self, plugin_id: str, function: Callable[..., Any], known: signatures.Registered) -> None:
        self.plugin_id = plugin_id
        self.register_func = function
        self.known = known
        self.impl_func: Any = None
        self.aot_impl_func: Any = None
        self.autotune_func: Any = None
        self.impl_attr_names: list[str] = []
        self.aot_impl_attr_names: list[str] = []
        self.autotune_attr_names: list[str] = []
        self.expects_tactic = False
        self.creator: IPluginCreatorV3Quick | None = None

    @property
    def identity(self) -> tuple[str, str]:
        """Its namespace and its name."""
        namespace, _, name = self.plugin_id.partition("::")
        return namespace, name

    @property
    def declared(self) -> typing.Mapping[str, tuple[bool, Any]]:
        """The types of the attributes, also of arrays in a lazy registration, as far as the annotations name them."""
        try:
            return signatures.registered(self.register_func, lazily=False).kinds
        except (AttributeError, ValueError):
            return self.known.kinds

    @property
    def functions(self) -> list[Any]:
        """The functions that were decorated."""
        functions = (self.register_func, self.autotune_func, self.impl_func, self.aot_impl_func)
        return [function for function in functions if function is not None]

    @property
    def num_outputs(self) -> int:
        """Return the number of outputs of the plugin."""
        return self.known.num_outputs

    def offer(self, kinds: typing.Mapping[str, tuple[bool, Any]]) -> Any:
        """Register and return a creator that advertises attributes of these types."""
        namespace, name = self.identity
        self.creator = _Creator(name, namespace, kinds)
        get_plugin_registry().register_creator(self.creator, namespace)
        return self.creator

    def __call__(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """Return a function for ``INetworkDefinition.add_plugin``, which makes the plugin on request."""
        for tensor in args:
            if not isinstance(tensor, ITensor):
                raise ValueError(f"Expected trt.ITensor but got input of type {type(tensor)}")
        for name, value in kwargs.items():
            self._check_attribute(name, value)
        received = ["ITensor"] * len(args) + list(kwargs)
        expected = ["ITensor"] * len(self.known.tensors) + list(self.known.attributes)
        if received != expected:
            raise ValueError(f"Unexpected schema ({', '.join(received)}) received. Expected ({', '.join(expected)}).")
        creator = self.creator or self.offer({name: _kind(value) for name, value in kwargs.items()})
        fields = [attributes.field_of(name, value) for name, value in kwargs.items()]
        namespace, name = self.identity

        def create_plugin_instance(request: Any = None) -> tuple[list[ITensor], list[ITensor], Any]:
            request_arguments = () if request is None else (request,)
            collection = PluginFieldCollection(fields)
            made = creator.create_plugin(name, namespace, collection, TensorRTPhase.BUILD, *request_arguments)
            return list(args), [], made

        return create_plugin_instance

    def _check_attribute(self, name: str, value: Any) -> None:
        declared = self.known.attributes
        if name not in declared:
            raise ValueError(f"Unexpected attribute {name} provided. Expected one of {declared.keys()}.")
        annotation = declared[name]
        if not isinstance(value, np.ndarray):
            if annotation is not type(value):
                raise ValueError(f"Unexpected type '{type(value)}' for attribute '{name}'. Expected '{annotation}'.")
        elif signatures.is_array(annotation) and annotation is not np.ndarray:
            dtype = signatures.dtype_of(annotation)
            if np.dtype(dtype) != value.dtype:
                raise ValueError(f"Unexpected dtype '{value.dtype}' for attribute '{name}'. Expected '{dtype}'.")


DEFINITIONS: Final[dict[str, PluginDef]] = {}
"""Every registered plugin by its id, ``namespace::name``, in the order of registration."""


def _kind(value: Any) -> tuple[bool, Any]:
    return (False, value.dtype) if isinstance(value, np.ndarray) else (True, type(value))


class _Creator(IPluginCreatorV3Quick):
    """The creator of a decorated plugin, for networks and engines."""

    def __init__(self, name: str, namespace: str, kinds: typing.Mapping[str, tuple[bool, Any]]) -> None:
        super().__init__()
        self.name = name
        self.plugin_namespace = namespace
        self.plugin_version = "1"
        self._advertised = [attributes.advertised(name, kind) for name, kind in kinds.items()]
        self.field_names = PluginFieldCollection(self._advertised)

    def create_plugin(
        self,
        name: str,
        namespace: str,
        fc: Any,
        phase: Any,  # noqa: ARG002 - the callback has it
        qpcr: Any = None,
    ) -> Any:
        """Make a plugin from its attributes, with the requested implementation."""
        definition = DEFINITIONS[f"{namespace}::{name}"]
        values = {}
        for field in fc:
            declared = definition.known.attributes
            if field.name not in declared:
                raise AssertionError(
                    f"Unexpected attribute {field.name} provided to create_plugin. Expected one of {declared.keys()}."
                )
            values[field.name] = attributes.value_of(field, declared[field.name])
        cls = RunningPlugin if qpcr is None or _runs_in_python(definition, qpcr) else CompiledPlugin
        return cls(definition, values)


def _runs_in_python(definition: PluginDef, request: Any) -> bool:
    """Return whether a request chooses ``impl``, not ``aot_impl``.

    Raises:
        ValueError: The requested implementation does not exist, or the request does not choose between the two.
    """
    plugin_id, compiled, runs = definition.plugin_id, definition.aot_impl_func, definition.impl_func
    if request in (_Request.STRICT_AOT, _Request.STRICT_JIT):
        word, function, implementation = (
            ("AOT", "aot_impl", compiled) if request == _Request.STRICT_AOT else ("JIT", "impl", runs)
        )
        if implementation is None:
            raise ValueError(
                f"{word} implementation requested, but not defined for '{plugin_id}'. Was @trt.plugin.{function} "
                "defined?"
            )
        return implementation is runs
    if compiled is None and runs is None:
        raise ValueError(f"Plugin '{plugin_id}' does not have either a AOT or JIT implementation.")
    if compiled is None or runs is None:
        return runs is not None
    if request not in (_Request.PREFER_AOT, _Request.PREFER_JIT):
        raise ValueError(
            f"Plugin '{plugin_id}' has both AOT and JIT implementations. "
            "NetworkDefinitionCreationFlag.PREFER_AOT_PYTHON_PLUGINS or "
            "NetworkDefinitionCreationFlag.PREFER_JIT_PYTHON_PLUGINS should be specified."
        )
    return bool(request == _Request.PREFER_JIT)


def register(plugin_id: str, lazy_register: bool = False) -> Callable[[Any], Any]:  # noqa: FBT001, FBT002 - as there
    """Register a plugin by the function that describes its outputs.

    With ``lazy_register`` the creator is registered when the plugin is first used in a network.
    """

    def decorator(function: Any) -> Any:
        namespace, name = plugin_id.split("::")
        signatures.check_identity(namespace, name)
        plugins = op.define_or_get(namespace)
        if hasattr(plugins, name):
            raise ValueError(f"'{type(op).__name__}' already has a defintion for '{name}'")
        known = signatures.registered(function, lazily=lazy_register)
        definition = DEFINITIONS[plugin_id] = PluginDef(plugin_id, function, known)
        if not lazy_register:
            definition.offer(known.kinds)
        setattr(plugins, name, definition)
        return function

    return decorator


def impl(plugin_id: str) -> Callable[[Any], Any]:
    """Set the function that computes the outputs in each execution."""

    def decorator(function: Any) -> Any:
        definition = _defined(plugin_id)
        definition.impl_attr_names, definition.expects_tactic = signatures.read_impl(function, definition.known)
        definition.impl_func = function
        return function

    return decorator


def aot_impl(plugin_id: str) -> Callable[[Any], Any]:
    """Set the function that returns a compiled kernel when an engine is built."""

    def decorator(function: Any) -> Any:
        definition = _defined(plugin_id)
        definition.aot_impl_attr_names = signatures.read_aot_impl(function, definition.known)
        definition.aot_impl_func = function
        return function

    return decorator


def autotune(plugin_id: str) -> Callable[[Any], Any]:
    """Set the function that lists the types, formats and tactics to choose from."""

    def decorator(function: Any) -> Any:
        definition = _defined(plugin_id)
        definition.autotune_attr_names = signatures.read_autotune(function, definition.known)
        definition.autotune_func = function
        return function

    return decorator


def _defined(plugin_id: str) -> PluginDef:
    if plugin_id not in DEFINITIONS:
        raise ValueError(
            f"Plugin {plugin_id} is not registered. Did you register it with tensorrt.plugin.register API?"
        )
    return DEFINITIONS[plugin_id]
