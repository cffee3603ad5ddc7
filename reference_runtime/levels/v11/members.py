"""Members that TensorRT 11 has and 10.16 has not, and members that differ between the two."""

from __future__ import annotations

from typing import Any

import numpy as np

from reference_runtime.bound.bound_class import attribute, state
from reference_runtime.bound.conversions import instance, optional, size_t, string
from reference_runtime.bound.overloads import Overload, accessor, bound
from reference_runtime.builder.config import settings_of
from reference_runtime.levels.v11.numbers import DLAWorkspaceAllocationStrategy
from reference_runtime.network.layers.tensors import ITensor
from reference_runtime.network.public.network import INetworkDefinition
from reference_runtime.values.weights import Weights

#: The only build route of this runtime. TensorRT's routes are not documented.
_ROUTE = "default"


_add_squeeze = INetworkDefinition.add_squeeze


def _kept(owner: str, name: str, kind: str, convert: Any, default: Any) -> attribute:
    """Make a setting that is kept and read back."""
    return accessor(
        f"(self: {owner}, arg0: {kind}) -> None",
        lambda self: state(self).get(name, default),
        lambda self, value: state(self).update({name: value}),
        convert,
    )


def _choose_route(config: Any, route: str) -> None:
    if route != _ROUTE:
        raise ValueError(f"there is no build route {route!r}; all_build_routes is {[_ROUTE]}")
    vars(settings_of(config))["build_route"] = route


class _Config:
    all_build_routes = attribute(lambda _self: [_ROUTE])
    build_route = accessor(
        "(self: IBuilderConfig, arg0: str) -> None",
        lambda self: vars(settings_of(self)).get("build_route", _ROUTE),
        _choose_route,
        string,
    )


class _Profile:
    profile_stream = _kept("IOptimizationProfile", "profile_stream", "typing.SupportsInt", size_t, 0)


class _Runtime:
    dla_workspace_allocation_strategy = _kept(
        "Runtime",
        "dla_workspace_allocation_strategy",
        "DLAWorkspaceAllocationStrategy",
        instance(DLAWorkspaceAllocationStrategy),
        DLAWorkspaceAllocationStrategy.DEFAULT,
    )


class _Tensor:
    dtype = attribute(vars(ITensor)["dtype"].fget)


class _Network:
    @bound(
        Overload(
            "(self: INetworkDefinition, input: ITensor, axes: ITensor = None) -> ISqueezeLayer",
            instance(ITensor),
            optional(instance(ITensor)),
            defaults=[None],
        )
    )
    def add_squeeze(self: Any, tensor: ITensor, axes: ITensor | None) -> Any:
        """Add a squeeze of the axes in a constant tensor; without ``axes``, of every axis whose dimension is 1.

        Without ``axes`` this runtime also adds a constant layer with the axes.
        """
        return _add_squeeze(self, tensor, _axes_of_one(self, tensor) if axes is None else axes)


def _axes_of_one(network: Any, tensor: ITensor) -> ITensor:
    axes = np.array([axis for axis, extent in enumerate(tensor.shape) if extent == 1], np.int64)
    state(network).setdefault("_axes", []).append(axes)  # a constant does not keep its data alive
    constant: ITensor = network.add_constant(axes.shape, Weights(axes)).get_output(0)
    return constant


#: By class, the holder of its new members.
HOLDERS = {
    "IBuilderConfig": _Config,
    "INetworkDefinition": _Network,
    "IOptimizationProfile": _Profile,
    "Runtime": _Runtime,
    "ITensor": _Tensor,
}
