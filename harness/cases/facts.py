"""Hold the facts of a case from which examples for fuzz rules are generated.

Facts are plain data. The worker process sends them to pytest's process.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from harness.cases.input import Input
from harness.contract.codec import Record

if TYPE_CHECKING:
    from harness.cases.case import Case

#: Identifies a dimension that may vary: its name, or the indices of its input and axis if it has no name.
Key = str | tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Extent:
    """A dimension that may vary, with its minimum, optimum and maximum in the profile."""

    key: Key
    low: int
    best: int
    high: int


@dataclasses.dataclass(frozen=True)
class Facts(Record):
    """The inputs and field names of a case; the shape of a shape input is the tuple of its values.

    Attributes:
        inputs: The inputs of the case. If a function generates the values of an input, its ``values`` is None.
        fields: The names of the fields.
    """

    inputs: tuple[Input, ...] = ()
    fields: tuple[str, ...] = ()

    @classmethod
    def of(cls, case: Case) -> Facts:
        """Return the facts of a case; empty facts if its fields or inputs are unknown."""
        if case.unknown:
            return cls()
        inputs = []
        for entry in case.inputs:
            is_interval = entry.values is not None and not callable(entry.values)
            values: Any = tuple(map(float, entry.values)) if is_interval else None  # type: ignore[arg-type] # two numbers
            inputs.append(dataclasses.replace(entry, values=values))
        return cls(tuple(inputs), tuple(case.fields))

    @classmethod
    def from_plain(cls, data: dict[str, Any]) -> Facts:
        """Return the facts from the plain data that :meth:`to_plain` returned."""
        return cls(tuple(Input(**entry) for entry in data.get("inputs", ())), tuple(data.get("fields", ())))

    @property
    def extents(self) -> tuple[Extent, ...]:
        """The dimensions that may vary, each once. Dimensions with the same name count as one."""
        extents: dict[Key, Extent] = {}
        for tensor, entry in enumerate(self.inputs):
            for axis, bounds in enumerate(zip(*entry.profile, strict=True)):
                if bounds[0] != bounds[2]:
                    key = self._key(tensor, axis)
                    extents.setdefault(key, Extent(key, *bounds))
        return tuple(extents.values())

    def shapes_at(self, values: dict[Key, int]) -> list[list[int]]:
        """Return the inputs' shapes with these values of dimensions that may vary; missing ones are minimal."""
        return [
            [values.get(self._key(tensor, axis), extent) for axis, extent in enumerate(entry.profile[0])]
            for tensor, entry in enumerate(self.inputs)
        ]

    def _key(self, tensor: int, axis: int) -> Key:
        entry = self.inputs[tensor]
        name = entry.dims[axis] if entry.dims is not None and not entry.shape_input else None
        return name if isinstance(name, str) else (tensor, axis)
