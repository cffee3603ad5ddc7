"""Cast and identity: the same numbers, possibly in another type."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from reference_runtime.operations.kinds import FLOATS, INDEX_TYPES, array_type, one_of
from reference_runtime.operations.operation import Basic, quiet
from reference_runtime.operations.plain import members, optional
from reference_runtime.shapes.tensor_facts import mapped
from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_layers import LayerType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.operations.operation import Array
    from reference_runtime.shapes.tensor_facts import ValueFacts

_CASTABLE: Final = FLOATS | INDEX_TYPES | {DataType.INT8, DataType.UINT8, DataType.BOOL, DataType.FP8}


class Cast(Basic, frozen=True):
    """A conversion to another type. Floating-point numbers are rounded towards zero to integers.

    As BOOL, every value except 0 is true.
    """

    kind: ClassVar = LayerType.CAST
    fields: ClassVar = {"to_type": members(DataType)}
    to_type: DataType

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the target type."""
        one_of(inputs[0], _CASTABLE, "the input of a cast")
        return (one_of(self.to_type, _CASTABLE, "the output of a cast"),)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the same dimensions, and the values in the new type."""
        return (mapped(inputs[0], lambda values: self.run([values])[0]),)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        with quiet():
            return (inputs[0].astype(array_type(self.to_type)),)


class Identity(Basic, frozen=True):
    """A copy, or a cast if the layer's output type was set."""

    kind: ClassVar = LayerType.IDENTITY
    fields: ClassVar = {"to_type": optional(members(DataType))}
    to_type: DataType | None = None

    def types(self, inputs: Sequence[DataType]) -> tuple[DataType, ...]:
        """Return the type of the input, or the type that was set."""
        return (inputs[0],) if self.to_type is None else Cast(self.to_type).types(inputs)

    def infer(self, inputs: Sequence[ValueFacts]) -> tuple[ValueFacts, ...]:
        """Return the facts of the input, converted if the output type was set."""
        return (inputs[0],) if self.to_type is None else Cast(self.to_type).infer(inputs)

    def run(self, inputs: Sequence[Array]) -> tuple[Array, ...]:
        """Compute the output."""
        return (inputs[0].copy(),) if self.to_type is None else Cast(self.to_type).run(inputs)
