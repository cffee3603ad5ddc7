"""The table of facts: slots, structures and enumerations of each epoch of TensorRT's C++ ABI.

An epoch is a range of versions with one memory layout for plugins. ``8`` is TensorRT 8.5 to 9.3, ``10`` is 10.0 to
10.16, ``11`` is 11. Within an epoch, interfaces only grow at their ends.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

EPOCHS: Final = ("8", "10", "11")
#: The name of a destructor. It has two slots: the first destroys the object, the second (``~/2``) frees it, too.
DESTRUCTOR: Final = "~"
_SIGNATURE: Final = re.compile(r"(.*[ *&])?(\w+)\((.*)\)( const)?")
_TWO_DIGITS: Final = 10


class Slot(Struct, frozen=True):
    """One slot of a table of virtual functions; ``name`` ends with ``/2`` for the second overload of a function."""

    number: int
    name: str
    returns: str
    takes: tuple[str, ...]
    constant: bool = False

    @property
    def method(self) -> str:
        """The function's name in C++."""
        return self.name.partition("/")[0]


class Record(Struct, frozen=True):
    """A structure: its size, and each member's offset and type."""

    size: int
    members: dict[str, tuple[int, str]]


class Epoch(Struct, frozen=True):
    """The facts of one epoch."""

    name: str
    version: str
    interfaces: dict[str, Any]
    records: dict[str, Record]
    enumerations: dict[str, Any]

    @classmethod
    @functools.cache
    def of(cls, name: str) -> Epoch:
        """Return the facts of an epoch."""
        facts = json.loads(Path(__file__).with_name("facts.json").read_text(encoding="utf-8"))[name]
        records = {
            each: Record(record["size"], {member: tuple(at) for member, at in record["members"].items()})
            for each, record in facts["records"].items()
        }
        return cls(name, facts["version"], facts["interfaces"], records, facts["enumerations"])

    def slots(self, interface: str) -> tuple[Slot, ...]:
        """Return all slots of an interface, those of its bases first."""
        slots: list[Slot] = []
        for number, text in enumerate(self._texts(interface)):
            slot = _slot(number, text)
            before = sum(each.method == slot.name for each in slots)
            name = f"{slot.name}/{before + 1}" if before else slot.name
            slots.append(Slot(number, name, slot.returns, slot.takes, slot.constant))
        return tuple(slots)

    def own_slots(self, interface: str) -> tuple[Slot, ...]:
        """Return the slots that an interface adds to those of its base."""
        base = self.interfaces[interface]["base"]
        return self.slots(interface)[len(self._texts(base)) if base else 0 :]

    def _texts(self, interface: str) -> list[str]:
        held = self.interfaces[interface]
        inherited = self._texts(held["base"]) if held["base"] else []
        return [*inherited, *held["slots"]]


def _slot(number: int, text: str) -> Slot:
    if text == DESTRUCTOR:
        return Slot(number, DESTRUCTOR, "void", ())
    match = _SIGNATURE.fullmatch(text)
    if match is None:
        raise ValueError(f"the table of facts holds {text!r}, which is no signature")
    takes = tuple(match[3].split(", ")) if match[3] else ()
    return Slot(number, match[2], (match[1] or "").strip(), takes, bool(match[4]))


def epoch_of(major: int) -> str | None:
    """Return the epoch of a major version of TensorRT; None if the table does not have that version."""
    name = "8" if major in {8, 9} else str(major)
    return name if name in EPOCHS else None


def version_number(version: str) -> int:
    """Return a version as the number ``NV_TENSORRT_VERSION``: 8601 for 8.6.1, 101600 for 10.16.0."""
    major, minor, patch = (int(part) for part in version.split("."))
    return major * 10_000 + minor * 100 + patch if major >= _TWO_DIGITS else major * 1000 + minor * 100 + patch
