"""Record a library's heap use: the blocks that it allocates and frees, and its misuse of them.

Theory. A library calls ``malloc``, ``operator new`` and others through addresses that the loader wrote for it. While
the ledger is open, these addresses lead to callbacks here. The calls of operators in libstdc++ are redirected, too,
because it allocates for ``std::string`` and others. Each block is filled with a pattern, and has a margin behind its
end. Freed blocks can be kept back, filled with another pattern, until the ledger is closed. Then no address is used
twice, a second free is recognized, and a write to a freed block is noticed. Unknown blocks are passed on to the C
library: they are older than the ledger, or come from functions that are not watched.

If another library frees a block, the ledger does not see that. So a block that is left may not be a leak. The C
library's own count (`Heap.in_use`) must confirm a leak.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.native.abi.slots import address_of_code
from reference_runtime.native.elf import reading
from reference_runtime.native.elf.imports import rebound
from reference_runtime.native.elf.places import frames, place_of
from reference_runtime.native.heap import address_sanitizer

if TYPE_CHECKING:
    from reference_runtime.native.elf.reading import Library

#: The byte that fills new memory by default.
FRESH: Final = 0xA5
_FREED: Final = 0xDF
_MARGIN: Final = bytes(range(0xE0, 0xF0))
_MOST_FRAMES: Final = 48
_MOST_BYTES: Final = 1 << 24
"""How many bytes of a block are filled, from its beginning."""
_NEW: Final = {"_Znwm": "new", "_Znam": "new[]", "_ZnwmRKSt9nothrow_t": "new", "_ZnamRKSt9nothrow_t": "new[]"}
_DELETE: Final = {
    **{f"_Zdl{kind}": "delete" for kind in ("Pv", "Pvm", "PvRKSt9nothrow_t")},
    **{f"_Zda{kind}": "delete[]" for kind in ("Pv", "Pvm", "PvRKSt9nothrow_t")},
}
_FREES: Final = {"new": "delete", "new[]": "delete[]", "malloc": "free"}
_C: Final[Any] = ctypes.CDLL(None)
_malloc, _free, _realloc = (ctypes.CFUNCTYPE(result, *takes)((name, _C)) for name, result, *takes in (
    ("malloc", ctypes.c_void_p, ctypes.c_size_t),
    ("free", None, ctypes.c_void_p),
    ("realloc", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t),
))  # fmt: skip


@dataclass(frozen=True)
class Block:
    """A block of memory: its size in bytes, how it was allocated (``new``, ``new[]``, ``malloc``), and the stack."""

    address: int
    size: int
    maker: str
    calls: tuple[int, ...] = field(repr=False)


@dataclass
class Ledger:
    """The record of a library's heap use while the ledger was open.

    Attributes:
        blocks: The blocks that were allocated and not freed, by address.
        freed: The freed blocks that are kept back, by address.
        misuses: Each misuse of the heap: a text, and the stack.
    """

    file: str
    keeps: bool
    fill: int
    blocks: dict[int, Block] = field(default_factory=dict)
    freed: dict[int, Block] = field(default_factory=dict)
    misuses: list[tuple[str, str]] = field(default_factory=list)

    def take(self, size: int, maker: str) -> int:
        """Allocate a block, and return its address; 0 if there is no memory."""
        address: int = _malloc(size + len(_MARGIN)) or 0
        if address:
            ctypes.memset(address, self.fill, min(size, _MOST_BYTES))
            ctypes.memmove(address + size, _MARGIN, len(_MARGIN))
            self.blocks[address] = Block(address, size, maker, tuple(frames(_MOST_FRAMES)))
        return address

    def take_zeroed(self, count: int, size: int) -> int:
        """Allocate a block of zeros, and return its address; 0 if there is no memory."""
        address = self.take(count * size, "malloc")
        if address:
            ctypes.memset(address, 0, count * size)
        return address

    def move(self, address: int | None, size: int) -> int:
        """Allocate a block of another size with the content of a block, free that, and return the new address."""
        known = self.blocks.get(address or 0)
        if address and known is None:
            return _realloc(address, size) or 0
        made = self.take(size, "malloc")
        if known is not None and made:
            ctypes.memmove(made, known.address, min(known.size, size))
            self.give(address, "free")
        return made

    def give(self, address: int | None, how: str) -> None:
        """Free a block; ``how`` is the operation that the library called (``free``, ``delete`` or ``delete[]``)."""
        if not address:
            return
        block = self.blocks.pop(address, None)
        if block is None:
            if address in self.freed:
                self._note(f"{how} of a block of {self.freed[address].size} bytes that was freed before")
            else:
                _free(address)  # it is older than the ledger
            return
        self._check_margin(block)
        if _FREES[block.maker] != how:
            self._note(f"{how} of a block of {block.size} bytes that {block.maker} made")
        if not self.keeps:
            _free(address)
            return
        ctypes.memset(address, _FREED, min(block.size, _MOST_BYTES))
        self.freed[address] = block

    def wrong_with(self, address: int, size: int) -> str:
        """Return a text if memory that C++ returned was freed, or ends beyond its block; empty if not."""
        for block in (*self.freed.values(), *self.blocks.values()):
            beyond = address + size - block.address - block.size
            if not block.address <= address < block.address + block.size:
                continue
            if block.address in self.freed:
                return f"is in a block of {block.size} bytes that was freed"
            if beyond > 0:
                return f"ends {beyond} bytes beyond its block of {block.size} bytes"
        return ""

    def close(self) -> None:
        """Check all blocks a last time, and free the blocks that were kept back."""
        for block in list(self.blocks.values()):
            self._check_margin(block)
        for block in self.freed.values():
            size = min(block.size, _MOST_BYTES)
            if ctypes.string_at(block.address, size) != bytes([_FREED]) * size:
                what = f"a write to a block of {block.size} bytes after it was freed"
                self.misuses.append((what, self.stack_of(block)))
            _free(block.address)

    def stack_of(self, block: Block) -> str:
        """Return the library's functions that were running when a block was allocated, the most recent call first."""
        return self._shown(block.calls)

    def _check_margin(self, block: Block) -> None:
        if ctypes.string_at(block.address + block.size, len(_MARGIN)) != _MARGIN:
            ctypes.memmove(block.address + block.size, _MARGIN, len(_MARGIN))
            self.misuses.append((f"a write behind the end of a block of {block.size} bytes", self.stack_of(block)))

    def _note(self, what: str) -> None:
        self.misuses.append((what, self._shown(frames(_MOST_FRAMES))))

    def _shown(self, calls: Any) -> str:
        places = (place_of(address - 1) for address in calls)
        return "\n".join(f"  {text}" for _, text in places if f" in {self.file} +" in text)


class Heap:
    """The heap use of one loaded library."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._open: Ledger | None = None
        self._file = library.path.resolve()
        self._names = {name for name, _ in library.imports()}

    @property
    def is_watched(self) -> bool:
        """Return whether the library allocates memory with functions that can be watched."""
        return bool(self._names & {*_NEW, "malloc", "calloc"})

    @property
    def is_counted(self) -> bool:
        """Return whether the C library counts the memory in use; False if AddressSanitizer replaces its allocator."""
        return not address_sanitizer.is_loaded()

    @staticmethod
    def in_use() -> int:
        """Return how many bytes of the heap are in use in this process, as the C library counts them."""
        _C.mallinfo2.restype = _Information
        information = _C.mallinfo2()
        return int(information.small + information.mapped)

    @contextlib.contextmanager
    def ledger(self, *, keeps: bool = True, fill: int = FRESH) -> Iterator[Ledger]:
        """Record the library's heap use within the block.

        Args:
            keeps: Whether freed blocks are kept back until the end of the block.
            fill: The byte that fills new memory.
        """
        ledger = Ledger(str(self._file), keeps, fill)
        callbacks = _callbacks(ledger)
        functions = {name: address_of_code(callback) for name, callback in callbacks.items()}
        of_cpp = {name: address for name, address in functions.items() if name.startswith("_Z")}
        others = [(reading.read(file), of_cpp) for file in _standard_libraries() if file != self._file]
        self._open = ledger
        try:
            with rebound((self._library, functions), *others):
                yield ledger
        finally:
            self._open = None
            ledger.close()

    def wrong_with(self, address: int, size: int) -> str:
        """Return a text if an open ledger shows that memory from C++ is freed or too short; empty if not."""
        return "" if self._open is None else self._open.wrong_with(address, size)


class _Information(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in ("arena", "free", "fast", "maps", "mapped", "most", "fast_free", "small", "unused", "releasable")
    )


def _callbacks(ledger: Ledger) -> dict[str, Any]:
    pointer, number = ctypes.c_void_p, ctypes.c_size_t

    def taking(maker: str) -> Callable[[int], int]:
        return lambda size: ledger.take(size, maker)

    def giving(how: str) -> Callable[[int | None], None]:
        return lambda address: ledger.give(address, how)

    take, give = ctypes.CFUNCTYPE(pointer, number), ctypes.CFUNCTYPE(None, pointer)
    return {
        **{name: take(taking(maker)) for name, maker in _NEW.items()},
        **{name: give(giving(how)) for name, how in _DELETE.items()},
        "malloc": take(taking("malloc")),
        "calloc": ctypes.CFUNCTYPE(pointer, number, number)(ledger.take_zeroed),
        "realloc": ctypes.CFUNCTYPE(pointer, pointer, number)(ledger.move),
        "free": give(giving("free")),
    }


def _standard_libraries() -> set[Path]:
    """Return the loaded files of libstdc++."""
    lines = Path("/proc/self/maps").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    return {Path(line.split(maxsplit=5)[5]) for line in lines if "/libstdc++.so" in line}
