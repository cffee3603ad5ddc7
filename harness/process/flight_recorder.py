"""Record callbacks in shared memory, which outlives the process that runs the plugin.

Theory: the process that runs a plugin shares this memory with the process that watches it. It records each callback
before it calls it, and crosses it out when it has returned. After any end, the watcher reads which callback was
running, and which came before. The memory holds a ring of the last calls and a stack of the running calls (a callback
can lead to another). Before them are:

* the number of calls so far, and the depth of the stack;
* the index of the example that is being judged, if a request holds several;
* the number of steps that the judge has begun: each step has its own deadline;
* the package that interprets kernels on the CPU, if one does: that is slow;
* whether the task has ended;
* what the running callback needs and this machine lacks;
* the digest of fields that the plugin may not support, while a plugin with them runs.

The layout:

    calls so far, depth | example | steps | interpreter | ended | lack | trial | ring of RING entries
    stack of DEPTH entries
    each entry: length, text
"""

from __future__ import annotations

import mmap
import os
import struct

import msgspec

RING = 10
DEPTH = 8
_HEADER = struct.Struct("=QI")
_EXAMPLE = struct.Struct("=I")
_STEPS = struct.Struct("=Q")
_LENGTH = struct.Struct("=H")
_ENTRY = 512
_NAME = 32
_STEP = _HEADER.size + _EXAMPLE.size
_INTERPRETER = _STEP + _STEPS.size
_ENDED = _INTERPRETER + _NAME
_LACK = _ENDED + 1
_TRIAL = _LACK + _ENTRY
_RING = _TRIAL + _ENTRY
_STACK = _RING + RING * _ENTRY
#: The size of the memory in bytes.
SIZE = _STACK + DEPTH * _ENTRY
_SEPARATOR = "\x1f"


class Entry(msgspec.Struct, frozen=True):
    """One recorded callback, such as ``Bar#2``, ``enqueue``, ``execution``.

    ``detail`` is the callback's file and line in a build by NVIDIA's builder; else it is empty.
    """

    target: str
    method: str
    phase: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.target}.{self.method}({self.detail}), during {self.phase}"


class CallbackTrail(msgspec.Struct, frozen=True):
    """The contents of a flight recorder: the last callbacks of a process.

    Attributes:
        running: The callback that was running, if any.
        calls: The last calls, oldest first.
        example: The index of the example that was being judged, if there were several.
        interpreter: The package that interpreted a kernel on the CPU; empty if none did.
        lack: What the running callback needed and this machine lacks, in words; empty if it lacks nothing.
    """

    running: Entry | None = None
    calls: tuple[str, ...] = ()
    example: int = 0
    interpreter: str = ""
    lack: str = ""


class FlightRecorder:
    """Shared memory: one process writes and another reads."""

    def __init__(self, memory: mmap.mmap) -> None:
        self._memory = memory
        self._writer = os.getpid()

    @classmethod
    def on(cls, file: int) -> FlightRecorder:
        """Return a recorder in an open memory file, whose size is set to ``SIZE``."""
        os.ftruncate(file, SIZE)
        return cls(mmap.mmap(file, SIZE))

    def take_over(self) -> None:
        """Empty the recorder, except for its steps; from now on this process records callbacks, and no fork of it."""
        self._writer = os.getpid()
        _HEADER.pack_into(self._memory, 0, 0, 0)
        _EXAMPLE.pack_into(self._memory, _HEADER.size, 0)
        self._memory[_INTERPRETER:_RING] = bytes(_RING - _INTERPRETER)

    def end(self) -> None:
        """Write down that the task has ended."""
        self._memory[_ENDED] = True

    @property
    def has_ended(self) -> bool:
        """Return whether the task has ended."""
        return bool(self._memory[_ENDED])

    def interpreting(self, name: str) -> None:
        """Record the package that is about to interpret a kernel."""
        if os.getpid() == self._writer:
            self._memory[_INTERPRETER:_ENDED] = name.encode()[:_NAME].ljust(_NAME, b"\0")

    def lacking(self, what: str) -> None:
        """Record what the running callback needs and this machine lacks; an empty text once the callback is over.

        A fork of this process records it, too, since the fork may end before it can report the lack itself.
        """
        self._write(_LACK, what.encode(errors="replace")[: _ENTRY - _LENGTH.size])

    def taken_lack(self) -> str:
        """Return what was recorded as lacking, and forget it."""
        lack = self._text(_LACK)
        self.lacking("")
        return lack

    def trying(self, fields: str) -> None:
        """Record the digest of fields that the plugin may not support; an empty text once the trial is over."""
        if os.getpid() == self._writer:
            self._write(_TRIAL, fields.encode())

    @property
    def trial(self) -> str:
        """Return the digest of the fields whose trial did not end; empty if there is none."""
        return self._text(_TRIAL)

    def begin(self, example: int) -> None:
        """Record the index of the example that is judged from now on, which is a new step."""
        if os.getpid() == self._writer:
            _EXAMPLE.pack_into(self._memory, _HEADER.size, example)
            self.step()

    def step(self) -> None:
        """Record that the judge begins a step, which has its own deadline."""
        if os.getpid() == self._writer:
            _STEPS.pack_into(self._memory, _STEP, self.steps + 1)

    @property
    def steps(self) -> int:
        """Return the number of steps that the judge has begun, over all tasks."""
        (steps,) = _STEPS.unpack_from(self._memory, _STEP)
        return int(steps)

    def record(self, target: str, method: str, phase: str, detail: str = "") -> None:
        """Record a callback before it is called."""
        if os.getpid() != self._writer:
            return
        calls, depth = _HEADER.unpack_from(self._memory, 0)
        text = _SEPARATOR.join((target, method, phase, detail)).encode(errors="replace")
        text = text[: _ENTRY - _LENGTH.size]
        self._write(_RING + calls % RING * _ENTRY, text)
        if depth < DEPTH:
            self._write(_STACK + depth * _ENTRY, text)
        _HEADER.pack_into(self._memory, 0, calls + 1, depth + 1)

    def returned(self) -> None:
        """Cross out the callback that was recorded last and still runs."""
        if os.getpid() != self._writer:
            return
        calls, depth = _HEADER.unpack_from(self._memory, 0)
        _HEADER.pack_into(self._memory, 0, calls, max(depth - 1, 0))

    def trail(self) -> CallbackTrail:
        """Return what was recorded since the last :meth:`take_over`."""
        calls, depth = _HEADER.unpack_from(self._memory, 0)
        running = self._read(_STACK + (min(depth, DEPTH) - 1) * _ENTRY) if depth else None
        last = (self._read(_RING + n % RING * _ENTRY) for n in range(max(0, calls - RING), calls))
        (example,) = _EXAMPLE.unpack_from(self._memory, _HEADER.size)
        name = self._memory[_INTERPRETER:_ENDED].rstrip(b"\0").decode(errors="replace")
        return CallbackTrail(running, tuple(str(entry) for entry in last), example, name, self._text(_LACK))

    def close(self) -> None:
        """Give the memory back."""
        self._memory.close()

    def _write(self, offset: int, text: bytes) -> None:
        start = offset + _LENGTH.size
        _LENGTH.pack_into(self._memory, offset, len(text))
        self._memory[start : start + len(text)] = text

    def _read(self, offset: int) -> Entry:
        return Entry(*[*self._text(offset).split(_SEPARATOR), "", "", ""][:4])

    def _text(self, offset: int) -> str:
        start = offset + _LENGTH.size
        (length,) = _LENGTH.unpack_from(self._memory, offset)
        return self._memory[start : start + min(length, _ENTRY - _LENGTH.size)].decode(errors="replace")


class _Installed:
    """The flight recorder of this process, if it has one."""

    box: FlightRecorder | None = None


def install(box: FlightRecorder | None) -> None:
    """Make ``box`` the recorder of this process; with None, the functions below do nothing."""
    _Installed.box = box


def is_installed() -> bool:
    """Return whether this process has a flight recorder; a child and its forks have one."""
    return _Installed.box is not None


def begin(example: int) -> None:
    """Record the index of the example that is judged from now on, which is a new step."""
    if _Installed.box is not None:
        _Installed.box.begin(example)


def step() -> None:
    """Record that the judge begins a step, which has its own deadline."""
    if _Installed.box is not None:
        _Installed.box.step()


def record(target: str, method: str, phase: str, detail: str = "") -> None:
    """Record a callback before it is called."""
    if _Installed.box is not None:
        _Installed.box.record(target, method, phase, detail)


def interpreting(name: str) -> None:
    """Record the package that is about to interpret a kernel."""
    if _Installed.box is not None:
        _Installed.box.interpreting(name)


def lacking(what: str) -> None:
    """Record what the running callback needs and this machine lacks; an empty text once the callback is over."""
    if _Installed.box is not None:
        _Installed.box.lacking(what)


def taken_lack() -> str:
    """Return what was recorded as lacking, and forget it; empty without a recorder."""
    return "" if _Installed.box is None else _Installed.box.taken_lack()


def trying(fields: str) -> str:
    """Record the digest of fields that the plugin may not support, and return what was recorded before it."""
    if _Installed.box is None:
        return ""
    before = _Installed.box.trial
    _Installed.box.trying(fields)
    return before


def returned() -> None:
    """Cross out the callback that returned."""
    if _Installed.box is not None:
        _Installed.box.returned()
