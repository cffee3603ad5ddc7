"""API levels: the TensorRT version of the names of ``tensorrt``, fixed once for a process.

Theory. The runtime is written for TensorRT 10.16. Another level is defined by its differences: names and members that
are missing, new or changed, and changed enumerations. `Surface` is the record of the differences; `v8_6` and `v11` have
its content. `apply` changes the only module and the only classes of the process, before user code imports them. So a
class is the same class in every import, and a member that a level lacks does not exist. A change cannot be undone, so a
process has one level; the harness starts a process for each.

Code of the runtime that runs after `apply` must not look up an object that a level may remove. It keeps the object in a
constant of its module instead.
"""

from __future__ import annotations

from reference_runtime.bound.errors import LevelError
from reference_runtime.levels.change import change
from reference_runtime.levels.surface import Surface
from reference_runtime.levels.v8_6 import LEVEL_8_6
from reference_runtime.levels.v11 import LEVEL_11

__all__ = ["DEFAULT", "LEVELS", "LevelError", "applied", "apply"]

_SURFACES = {"8.6": LEVEL_8_6, "10": Surface("10.16.1.11"), "11": LEVEL_11}

#: All levels, oldest first.
LEVELS = tuple(_SURFACES)
#: The level that a process has unless it asks for another one.
DEFAULT = "10"


class _Process:
    """The API level that is set in this process."""

    level: str | None = None


def apply(level: str) -> None:
    """Change the names of ``tensorrt`` to those of a level, for the life of the process.

    Raises:
        LevelError: The level does not exist, or the process has a different level.
    """
    if level not in _SURFACES:
        raise LevelError(f"there is no API level {level!r}; choose from {', '.join(LEVELS)}")
    if _Process.level not in (None, level):
        raise LevelError(
            f"API level {level} was asked for, and this process has level {_Process.level}: a level is fixed once for "
            f"a process. Start another process for another level."
        )
    if _Process.level is None:
        _Process.level = level
        change(_SURFACES[level])


def applied() -> str:
    """Return the level of this process."""
    return _Process.level or DEFAULT
