"""Name the API levels: the versions of TensorRT that plugins are certified against, and the types that they lack."""

from __future__ import annotations

import enum
from collections.abc import Iterable


class ApiLevel(enum.Enum):
    """An API level; the members are in order, oldest first."""

    V8_6 = "8.6"
    V10 = "10"
    V11 = "11"


SPECS = tuple(spec.value for spec in ApiLevel)
#: The level of a run that names none.
DEFAULT = ApiLevel.V10.value

#: By level, the types of tensors that only later levels have.
_LATER_TYPES = {"8.6": ("bfloat16", "int64")}


def missing_types(spec: str, types: Iterable[str]) -> list[str]:
    """Return those of the types that a level does not have."""
    return [name for name in types if name in _LATER_TYPES.get(spec, ())]
