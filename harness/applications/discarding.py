"""Whether the application throws the result of a call away, as its bytecode says."""

from __future__ import annotations

import dis
import sys
from typing import TYPE_CHECKING

from harness.applications.names import is_ours

if TYPE_CHECKING:
    from types import FrameType


def is_discarded() -> bool:
    """Tell whether the innermost frame that is not ours drops the result of the call that it makes."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to the caller
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    if frame is None:
        return False
    # What follows the call tells; the place of a frame may lie in the caches behind its instruction.
    later = (each for each in dis.get_instructions(frame.f_code) if each.offset > frame.f_lasti)
    following = next(later, None)
    return following is not None and following.opname == "POP_TOP"
