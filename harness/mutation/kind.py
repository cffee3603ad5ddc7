"""Define an operator: a kind of defect, how it is injected, and the rules that should report it."""

from __future__ import annotations

import dataclasses
import enum
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.mutation.anatomy import Module
    from harness.mutation.change import Change

    Plant = Callable[[Module], Iterator[Change]]

CASES = "CASES"
"""The place of a rule where a run refuses the cases, because they do not fit the plugin."""


class Spot(enum.Enum):
    """A property that cases may lack, so that they do not reveal a defect."""

    DIFFERENT_INPUTS = "two inputs of different dimensions"
    UNEVEN_EXTENTS = "an input whose dimensions all differ"
    DYNAMIC = "a dimension that varies between min and max"
    EMPTY = "an input without elements"
    SEVERAL_TYPES = "several types for an input"
    FIELDS = "fields with values other than the defaults"
    SEVERAL_FIELDS = "two values for a field, in two cases"
    REFERENCE = "a reference"


@dataclasses.dataclass(frozen=True)
class Operator:
    """A kind of defect.

    Attributes:
        plant: Yields each way to plant it into a module.
        rules: The rules; one of them should report it.
        spots: What cases may lack where it is not noticed.
    """

    plant: Plant
    rules: tuple[str, ...]
    spots: tuple[Spot, ...] = ()

    def __reduce__(self) -> tuple[Callable[[str, str], Any], tuple[str, str]]:
        """Travel to another process by name: the module has the operator where the function was."""
        return _found, (self.plant.__module__, self.name)

    @property
    def name(self) -> str:
        """Its name."""
        return self.plant.__name__

    @property
    def family(self) -> str:
        """The noun that it is about."""
        return self.plant.__module__.rpartition(".")[2]

    @property
    def defect(self) -> str:
        """The defect in a sentence."""
        return inspect.getdoc(self.plant) or ""


def _found(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def operator(*rules: str, spots: Iterable[Spot] = ()) -> Callable[[Plant], Operator]:
    """Make the decorated function an :class:`Operator`, whose docstring is the defect in a sentence."""
    return lambda plant: Operator(plant, rules, tuple(spots))
