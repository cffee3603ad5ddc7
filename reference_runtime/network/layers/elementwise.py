"""The layers that work element by element, and those that only change a type."""

from __future__ import annotations

from reference_runtime.bound.conversions import float32, instance
from reference_runtime.network.layers.layer import ILayer, setting
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import ActivationType, ElementWiseOperation, UnaryOperation


class IActivationLayer(ILayer, bound=True):
    """An activation function."""

    type = setting(
        "(self: IActivationLayer, arg0: ActivationType) -> None",
        "type",
        "IActivationLayer::setActivationType",
        instance(ActivationType),
    )
    alpha = setting(
        "(self: IActivationLayer, arg0: typing.SupportsFloat) -> None", "alpha", "IActivationLayer::setAlpha", float32
    )
    beta = setting(
        "(self: IActivationLayer, arg0: typing.SupportsFloat) -> None", "beta", "IActivationLayer::setBeta", float32
    )


class ICastLayer(ILayer, bound=True):
    """A conversion to another type."""

    to_type = setting(
        "(self: ICastLayer, arg0: DataType) -> None", "to_type", "ICastLayer::setToType", instance(DataType)
    )


class IElementWiseLayer(ILayer, bound=True):
    """An operation on two tensors."""

    op = setting(
        "(self: IElementWiseLayer, arg0: ElementWiseOperation) -> None",
        "op",
        "IElementWiseLayer::setOperation",
        instance(ElementWiseOperation),
    )


class IIdentityLayer(ILayer, bound=True):
    """A copy."""


class ISelectLayer(ILayer, bound=True):
    """A choice between two tensors."""


class IUnaryLayer(ILayer, bound=True):
    """A function on each element."""

    op = setting(
        "(self: IUnaryLayer, arg0: UnaryOperation) -> None",
        "op",
        "IUnaryLayer::setOperation",
        instance(UnaryOperation),
    )
