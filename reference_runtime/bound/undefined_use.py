"""Record a use that TensorRT leaves undefined: the action, and the line in the user's code."""

from __future__ import annotations

import enum

from msgspec import Struct

from reference_runtime.bound.frames import users_frame


class MisuseKind(enum.Enum):
    """A kind of action whose effect TensorRT's documents do not define."""

    CLOSED_BUILDER = "an expression builder was used after the call that received it"
    CLOSED_EXPRESSION = "an expression was used after the call that received its builder"
    FOREIGN_EXPRESSION = "an expression of another builder was used"
    NON_CONSTANT_VALUE = "the constant value of an expression that is not constant was read"
    INVALID_OPERATION = "an operation that DimensionOperation does not have was requested"
    SIZE_TENSOR = "a size tensor was declared where none is allowed"
    NEGATIVE_INDEX = "a received field collection was indexed with a negative number"
    FREED_FIELDS = "a received field collection was used after create_plugin returned"
    FREED_BUFFER = "a field's buffer was read after its owner was gone"
    OUT_OF_BOUNDS = "a field was read beyond the end of its buffer"


class Misuse(Struct, frozen=True):
    """One undefined use: its kind, what was done, and the file and line."""

    kind: MisuseKind
    what: str
    where: str


def misuse(kind: MisuseKind, what: str) -> Misuse:
    """Return the record of an undefined use in the current line of the user's code."""
    frame = users_frame()
    where = "unknown place" if frame is None else f"{frame.f_code.co_filename}:{frame.f_lineno}"
    return Misuse(kind, what, where)
