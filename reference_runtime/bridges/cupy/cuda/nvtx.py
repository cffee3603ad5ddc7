"""``cupy.cuda.nvtx``: annotations for a profiler, which have no effect on the host."""

from __future__ import annotations

__all__ = ["Mark", "MarkC", "RangePop", "RangePush", "RangePushC"]


def Mark(message: str, id_color: int = -1) -> None:
    """Mark an instant."""


def MarkC(message: str, color: int = 0) -> None:
    """Mark an instant in a colour."""


def RangePush(message: str, id_color: int = -1) -> None:
    """Begin a range."""


def RangePushC(message: str, color: int = 0) -> None:
    """Begin a range in a colour."""


def RangePop() -> None:
    """End the range that began last."""
