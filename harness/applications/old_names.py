"""List members that TensorRT 8.6 had, and that later versions do not have."""

from __future__ import annotations

from reference_runtime import ICudaEngine, IExecutionContext
from reference_runtime.levels.v8_6 import LEVEL_8_6

_CLASSES = {str(each.__name__): each for each in (IExecutionContext, ICudaEngine)}


def is_of_bindings(owner: str, member: str) -> bool:
    """Return whether a context or an engine had a member in 8.6, and has it no more."""
    holder = LEVEL_8_6.new_members.get(owner)
    known = _CLASSES.get(owner)
    return bool(member) and known is not None and member in vars(holder or type) and not hasattr(known, member)
