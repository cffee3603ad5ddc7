"""A level, as data: the differences of its surface of ``tensorrt`` from that of TensorRT 10.16."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from reference_runtime.bound.level_constants import VersionFacts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from reference_runtime.bound.overloads import Overload


class Surface(Struct, frozen=True):
    """One level.

    Attributes:
        version: What ``__version__`` says.
        facts: What is no name and no member.
        gone_names: Names of the module that the level does not have.
        gone_members: By class, the members that it does not have.
        enumerations: By name, all members of an enumeration that has others or other numbers.
        overloads: By class and method, which overloads the method has instead of those that are given.
        new_names: Names of the module that the level has and 10.16 has not.
        new_members: By class, a holder whose attributes are the members that the level has instead or besides.
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
