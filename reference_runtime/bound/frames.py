"""Find the frames of user code on the stack, because the genuine bindings have no Python frames."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType


def users_frame() -> FrameType | None:
    """Return the innermost frame of code outside of this package, whose line messages name; None without one."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to the caller
    while frame is not None and is_ours(frame):
        frame = frame.f_back
    return frame


def is_ours(frame: FrameType) -> bool:
    """Return whether a frame runs code of this package."""
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] == "reference_runtime"
