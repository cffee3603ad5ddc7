"""Find members of contexts and engines that TensorRT 8.6 had, and that later versions do not have."""

from __future__ import annotations

from reference_runtime import ICudaEngine, IExecutionContext
from reference_runtime.levels.v8_6 import LEVEL_8_6

_CLASSES = {str(each.__name__): each for each in (IExecutionContext, ICudaEngine)}


def is_of_bindings(owner: str, member: str) -> bool:
    """Return whether a class, the context's or the engine's, had a member in 8.6 that later versions lack."""
    holder = LEVEL_8_6.new_members.get(owner)
    known = _CLASSES.get(owner)
    return bool(member) and known is not None and member in vars(holder or type) and not hasattr(known, member)
