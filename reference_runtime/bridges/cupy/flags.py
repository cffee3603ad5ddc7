"""``cupy.ndarray.flags``: the memory layout of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference_runtime.bridges.cupy.storage import Storage

__all__ = ["Flags"]


class Flags:
    """The memory layout of an array."""

    def __init__(self, array: Storage) -> None:
        seen = array.on_host().flags
        self.c_contiguous: bool = seen.c_contiguous
        self.f_contiguous: bool = seen.f_contiguous
        self.owndata = array.base is None
        self.fnc = self.f_contiguous and not self.c_contiguous
        self.forc = self.f_contiguous or self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        short = {"C": "c_contiguous", "F": "f_contiguous", "O": "owndata"}
        flag: bool = getattr(self, short.get(name, name.lower()))
        return flag

    def __repr__(self) -> str:
        lines = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA")
        return "".join(f"  {name} : {self[name]}\n" for name in lines)
