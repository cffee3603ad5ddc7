"""Resources of plugins: IPluginResource, counted by key in the registry, and a context's own resources.

Theory. The methods ``clone`` and ``release`` of the base class exist for documentation, and do not call an override.
TensorRT calls the overrides: ``clone`` when a key is first acquired, ``release`` when it is last released. See
`shared_resources`.
"""

from __future__ import annotations

from typing import Any

from reference_runtime.bound.bound_class import attribute, bury, made, pybind11_object, state
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.values.versioned_interface import IVersionedInterface


class IPluginResource(IVersionedInterface, bound=True):
    """The base class of a resource that plugins share through the registry."""

    @constructor(Overload("(self: IPluginResource) -> None"))
    def __init__(self) -> None:
        """Construct the base class."""

    @bound(Overload("(self: IPluginResource) -> IPluginResource"))
    def clone(self) -> Any:
        """Return an initialized copy for the registry; an override is required, the base class returns None."""
        return None

    @bound(Overload("(self: IPluginResource) -> None"))
    def release(self) -> None:
        """Free the content of a clone; an override is required."""


class IPluginResourceContext(pybind11_object, bound=True):
    """The resources that an execution context lends to the plugins attached to it."""

    gpu_allocator = attribute(lambda self: state(self)["gpu_allocator"])
    error_recorder = attribute(lambda self: state(self)["error_recorder"])


def new_resource_context(gpu_allocator: Any = None, error_recorder: Any = None) -> IPluginResourceContext:
    """Make the resource context of one execution context."""
    return made(IPluginResourceContext, gpu_allocator=gpu_allocator, error_recorder=error_recorder)


def end_resource_context(context: IPluginResourceContext) -> None:
    """End a resource context together with its execution context.

    A plugin that uses the context after that gets an error.
    """
    bury(
        context,
        "An IPluginResourceContext was used after its execution context was destroyed: the genuine bindings crash "
        "here. Use it only until the plugin that was attached with it is deleted.",
    )
