"""The protocol of every operation, for the network, the builder and a context.

Theory. An operation is an immutable value: the computation of a layer without a plugin. It does not contain the layer's
tensors. It infers the types and facts of the outputs, and computes the outputs with NumPy. Setting a property of a
layer replaces its operation. Dimensions may be unknown (-1) while the network is defined, and are known when an engine
runs. The same checks apply each time.

Data are arrays of the tensor's own type. Types that NumPy does not have (BF16, FP8, ...) are passed as float32, and the
caller rounds the result. Invalid types, dimensions or values raise `Refused`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference_runtime.operations.plain import Codec
    from reference_runtime.shapes.tensor_facts import ValueFacts
    from reference_runtime.values.enums import DataType
    from reference_runtime.values.enums_layers import LayerType

Array = npt.NDArray[Any]


class Operation(Protocol):
    """The computation of a layer."""

    kind: ClassVar[LayerType]
    required: ClassVar[int | None]
    """The number of inputs that must be present; None means at least one."""
    optional: ClassVar[tuple[int, ...]]
    """The API's indices of the inputs that may be left out."""

    @property
    def operands(self) -> tuple[int, ...] | None:
        """Return the API's indices of the present inputs; None if no input may be left out."""
        ...

    @property
    def shape_operands(self) -> frozenset[int]:
        """Return the inputs whose values decide the dimensions of an output, by position among the present inputs."""
        ...

    @property
    def weights(self) -> bytes:
        """Return the data that are part of the operation, such as those of a constant."""
        ...

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the types of the outputs.

        Raises:
            Refused: The operation does not accept these types.
        """
        ...

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the facts of the outputs: their dimensions, and values as far as they are known.

        Raises:
            Refused: The operation does not accept these dimensions or values.
        """
        ...

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the outputs."""
        ...

    def to_plain(self) -> dict[str, Any]:
        """Return the operation's settings as values of JSON."""
        ...


class Basic(Struct, frozen=True):
    """The defaults of most operations: all inputs must be present, no value decides a dimension, no weights."""

    fields: ClassVar[Mapping[str, Codec]] = {}
    """The codec with which a plan stores each setting of the operation."""
    required: ClassVar[int | None] = 1
    optional: ClassVar[tuple[int, ...]] = ()

    @property
    def operands(self) -> tuple[int, ...] | None:
        """Return None: no input may be left out."""
        return None

    @property
    def shape_operands(self) -> frozenset[int]:
        """Return no input: no value decides a dimension."""
        return frozenset()

    @property
    def weights(self) -> bytes:
        """Return no data."""
        return b""

    def to_plain(self) -> dict[str, Any]:
        """Return the operation's settings as values of JSON."""
        return {name: codec.write(getattr(self, name)) for name, codec in self.fields.items()}


def takes(operation: Operation, count: int) -> bool:
    """Return whether an operation can have ``count`` inputs, and whether its ``operands`` are valid."""
    if operation.required is None:
        return count > 0
    first = tuple(range(operation.required))
    named = first if operation.operands is None else operation.operands
    extra = named[operation.required :]
    in_order = list(extra) == sorted(set(extra)) and set(extra).issubset(operation.optional)
    return named[: operation.required] == first and in_order and len(named) == count


def require(held: bool, why: str) -> None:  # noqa: FBT001 - reads as a sentence at each call
    """Check a condition.

    Raises:
        Refused: The condition is false; ``why`` is the message.
    """
    if not held:
        raise Refused(why, Reason.NETWORK)


def quiet() -> np.errstate:
    """Return a context manager in which NumPy gives no warnings, as a device gives none."""
    return np.errstate(all="ignore")
