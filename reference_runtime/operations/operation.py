"""The protocol of every operation, for the network, the builder and a context.

Theory. An operation is a value: the work of a layer without a plugin, and without the tensors it works on. It knows the
types and the facts of its outputs, and computes them with NumPy. Setting a property of a layer replaces its operation
by another. The same rules apply at all times. Dimensions may be unknown (-1) while the network is defined, and are
known when an engine runs.

Data are arrays of the tensor's own type. Types that NumPy does not have (BF16, FP8, ...) are passed as float32, and the
caller rounds the result. `Refused` says what is impossible.
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
    """A layer's work on its inputs."""

    kind: ClassVar[LayerType]
    required: ClassVar[int | None]
    """How many inputs there have to be; None where any number from one on will do."""
    optional: ClassVar[tuple[int, ...]]
    """The indices that the API has for inputs that may be left out."""

    @property
    def operands(self) -> tuple[int, ...] | None:
        """Return the indices that the API has for the existing inputs; None if no input may be left out."""
        ...

    @property
    def shape_operands(self) -> frozenset[int]:
        """The inputs whose values decide the dimensions of an output, by position in the list."""
        ...

    @property
    def weights(self) -> bytes:
        """The data that the operation carries."""
        ...

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the types of the outputs; `Refused` where the inputs' types do not go together."""
        ...

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the facts of the outputs; `Refused` if the inputs do not fit together."""
        ...

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the outputs."""
        ...

    def to_plain(self) -> dict[str, Any]:
        """Return the operation's settings as JSON can hold them."""
        ...


class Basic(Struct, frozen=True):
    """The defaults of most operations: every input must be present, none decides a dimension, no weights."""

    fields: ClassVar[Mapping[str, Codec]] = {}
    """How a plan keeps each of the operation's own settings."""
    required: ClassVar[int | None] = 1
    optional: ClassVar[tuple[int, ...]] = ()

    @property
    def operands(self) -> tuple[int, ...] | None:
        """Return the indices that the API has for the existing inputs; None if no input may be left out."""
        return None

    @property
    def shape_operands(self) -> frozenset[int]:
        """The inputs whose values decide the dimensions of an output."""
        return frozenset()

    @property
    def weights(self) -> bytes:
        """The data that the operation carries."""
        return b""

    def to_plain(self) -> dict[str, Any]:
        """Return the operation's settings as JSON can hold them."""
        return {name: codec.write(getattr(self, name)) for name, codec in self.fields.items()}


def takes(operation: Operation, count: int) -> bool:
    """Say whether an operation can have that many inputs, and whether they are those that it names."""
    if operation.required is None:
        return count > 0
    first = tuple(range(operation.required))
    named = first if operation.operands is None else operation.operands
    extra = named[operation.required :]
    in_order = list(extra) == sorted(set(extra)) and set(extra).issubset(operation.optional)
    return named[: operation.required] == first and in_order and len(named) == count


def require(held: bool, why: str) -> None:  # noqa: FBT001 - reads as a sentence at each call
    """Refuse a network if a condition is false."""
    if not held:
        raise Refused(why, Reason.NETWORK)


def quiet() -> np.errstate:
    """Return the context in which NumPy gives no warnings, as a device gives none."""
    return np.errstate(all="ignore")
