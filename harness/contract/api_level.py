"""API levels as the harness names them: the TensorRT that plugins are certified against, and what a level lacks."""

from __future__ import annotations

import enum
from collections.abc import Iterable


class ApiLevel(enum.Enum):
    """The levels there are, oldest first."""

    V8_6 = "8.6"
    V10 = "10"
    V11 = "11"


SPECS = tuple(spec.value for spec in ApiLevel)
#: The default.
DEFAULT = ApiLevel.V10.value

#: Types of tensors that came after a level.
_LATER_TYPES = {"8.6": ("bfloat16", "int64")}


def missing_types(spec: str, types: Iterable[str]) -> list[str]:
    """Return those of the types that a level does not have."""
    return [name for name in types if name in _LATER_TYPES.get(spec, ())]
