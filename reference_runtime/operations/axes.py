"""Convert axes, which are given as bit masks or numbers, and check them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_runtime.operations.operation import require

if TYPE_CHECKING:
    from collections.abc import Sequence

_OUTER = 3


def marked(mask: int, rank: int, what: str) -> tuple[int, ...]:
    """Return the axes whose bits are set.

    Raises:
        Refused: No bit is set, or a bit for an axis that a tensor of this rank does not have.
    """
    require(mask > 0, f"{what} need at least one axis, and the mask is {mask:#x}")
    require(mask < 1 << rank, f"{what} are {mask:#b}, and the tensor has {rank} dimensions")
    return tuple(axis for axis in range(rank) if mask >> axis & 1)


def counted(axes: Sequence[int], rank: int, what: str) -> tuple[int, ...]:
    """Return axes counted from the front; a negative number counts from the end.

    Raises:
        Refused: An axis occurs twice, or a tensor of this rank does not have it.
    """
    shown = f"{what} {list(axes)}"
    require(all(-rank <= axis < rank for axis in axes), f"{shown} must be from {-rank} to {rank - 1}")
    positive = tuple(axis % rank for axis in axes)
    require(len(set(positive)) == len(positive), f"{shown} must differ from each other")
    return positive


def default_axis(rank: int) -> int:
    """Return the default axis of softmax and concatenation: the third from the end, or the first."""
    return max(0, rank - _OUTER)
