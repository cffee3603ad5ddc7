"""The record of a level: the differences of its names and members of ``tensorrt`` from those of TensorRT 10.16."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from reference_runtime.bound.level_constants import VersionFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reference_runtime.bound.overloads import Overload


class Surface(Struct, frozen=True):
    """The differences of one level.

    Attributes:
        version: The value of ``__version__``.
        facts: Differences in behaviour, such as the default of strong typing.
        gone_names: Names of the module that the level does not have.
        gone_members: By class, the members that the level does not have.
        enumerations: By name, all members of each enumeration whose members or numbers differ.
        overloads: By class and method, a function from the overloads of 10.16 to those of the level.
        new_names: Names of the module that the level has and 10.16 has not, with their objects.
        new_members: By class, a holder whose attributes replace or extend the members of the class.
    """

    version: str
    facts: VersionFacts = field(default_factory=VersionFacts)
    gone_names: tuple[str, ...] = ()
    gone_members: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    enumerations: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    overloads: Mapping[str, Mapping[str, Callable[[Sequence[Overload]], Sequence[Overload]]]] = field(
        default_factory=dict
    )
    new_names: Mapping[str, Any] = field(default_factory=dict)
    new_members: Mapping[str, type] = field(default_factory=dict)
