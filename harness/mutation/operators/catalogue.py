"""List all operators of this folder by name."""

from __future__ import annotations

from typing import Final

from harness.mutation.kind import Operator
from harness.mutation.operators import (
    caches,
    cloning,
    configuration,
    creators,
    execution,
    formats,
    identity,
    outputs,
    release,
    serialization,
    shapes,
    state,
    tactics,
    workspace,
)

#: The modules of operators, in the order of a plugin's life.
_NOUNS: Final = (
    identity,
    creators,
    outputs,
    shapes,
    formats,
    configuration,
    tactics,
    workspace,
    cloning,
    serialization,
    execution,
    caches,
    state,
    release,
)
OPERATORS: Final[dict[str, Operator]] = {
    value.name: value for noun in _NOUNS for value in vars(noun).values() if isinstance(value, Operator)
}
