"""The types, formats and tactics that ``autotune`` offers: its notation, and the list of all combinations.

Theory. For each tensor there are alternatives of types, and of formats. Alternatives that are separated by ``|`` go
together: the first of one tensor with the first of the others. Alternatives that are separated by ``*`` go with all
those of the other tensors. Every choice of types goes with every choice of formats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.values.enums import DataType, TensorFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHORT = {"FP32": "FLOAT", "FP16": "HALF"}


class Way(Struct, frozen=True):
    """One type and one format for each tensor, inputs first."""

    types: tuple[Any, ...]
    layouts: tuple[Any, ...]


class AutoTuneCombination:
    """A set of types and formats for all tensors, and the tactics that the plugin has for them."""

    def __init__(
        self, io_types: str | None = None, layouts: str | None = None, tactics: Iterable[int] | None = None
    ) -> None:
        self.io_types: list[Any] = [] if io_types is None else _split(io_types)
        self.layouts: list[Any] = [] if io_types is None else _split("LINEAR" if layouts is None else layouts)
        if len(self.layouts) == 1 and len(self.io_types) > 1:
            self.layouts *= len(self.io_types)
        if len(self.io_types) != len(self.layouts) and len(self.layouts) > 1:
            raise AssertionError
        self.combinations: list[Any] = []
        self._tactics = tactics

    def pos(self, pos: Iterable[int], io_types: str, layouts: str = "LINEAR") -> None:
        """Set the types and formats of the tensors at some positions; inputs come first."""
        places = list(pos)
        missing = max(places) + 1 - len(self.io_types)
        self.io_types += [None] * missing
        self.layouts += [None] * missing
        for place in places:
            if self.io_types[place] is not None:
                raise ValueError(f"Type(s) for position {place} already specified")
            if self.layouts[place] is not None:
                raise ValueError(f"Layout(s) for position {place} already specified")
            self.io_types[place], self.layouts[place] = io_types, layouts

    def tactics(self, tactics: Iterable[int]) -> None:
        """Set the tactics; each must be greater than 0."""
        self._tactics = tactics


def ways_of(combination: AutoTuneCombination) -> list[tuple[Way, set[int]]]:
    """Return every `Way` that a combination covers, each with the combination's tactics."""
    types, layouts = _choices(combination.io_types), _choices(combination.layouts)
    tactics = combination._tactics
    return [
        (
            Way(
                tuple(getattr(DataType, _SHORT.get(name, name)) for name in one),
                tuple(getattr(TensorFormat, name) for name in other),
            ),
            set() if tactics is None else set(tactics),
        )
        for one in types
        for other in layouts
    ]


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")]


def _choices(alternatives: Sequence[str]) -> list[list[str]]:
    """Return every choice of one alternative for each tensor."""
    together = _rows(alternatives)
    chosen = [
        [text.split("|")[row] if "|" in text else text.split("*", maxsplit=1)[0] for text in alternatives]
        for row in range(together)
    ]
    for place, text in enumerate(alternatives):
        if "*" in text:
            chosen += [[*one[:place], other, *one[place + 1 :]] for other in text.split("*")[1:] for one in chosen]
    return chosen


def _rows(alternatives: Sequence[str]) -> int:
    """Return the number of alternatives that go together; raise ValueError if tensors have different numbers."""
    rows = 0
    for text in alternatives:
        count = len(text.split("|"))
        if count > 1 and "*" in text:
            raise ValueError(f"Type/Format '{text}' contains both '|' and '*'")
        if count > 1 and rows > 1 and rows != count:
            raise ValueError(f"Type/Format combinations {list(alternatives)} contain illegal dependent lengths")
        rows = max(rows, count)
    return rows
