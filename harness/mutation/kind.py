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
"""The entry in place of a rule if a run refuses the module's cases."""


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
        plant: Yields each change that injects the defect into a module.
        rules: The rules; at least one of them should report the defect.
        spots: Properties of cases that are needed to notice the defect; cases may lack some of them.
    """

    plant: Plant
    rules: tuple[str, ...]
    spots: tuple[Spot, ...] = ()

    def __reduce__(self) -> tuple[Callable[[str, str], Any], tuple[str, str]]:
        """Pickle the operator by its name: in its module, the name of the function means the operator."""
        return _found, (self.plant.__module__, self.name)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.plant.__name__

    @property
    def family(self) -> str:
        """The subject of the defect: the name of the function's module."""
        return self.plant.__module__.rpartition(".")[2]

    @property
    def defect(self) -> str:
        """The defect in a sentence: the docstring of the function."""
        return inspect.getdoc(self.plant) or ""


def _found(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


def operator(*rules: str, spots: Iterable[Spot] = ()) -> Callable[[Plant], Operator]:
    """Return a decorator that makes a function an :class:`Operator`; its docstring describes the defect."""
    return lambda plant: Operator(plant, rules, tuple(spots))
