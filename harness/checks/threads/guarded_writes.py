"""Check whether writes to shared objects happen while a shared lock is held.

Theory. The work is done again, and the shared state is read before each instruction of the plugin's own code. If it
differs, the previous instruction wrote it. The write was guarded if one of the shared locks was held.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Any

from harness.checks.observation.own_code import CodeOrigin, OwnCode
from harness.checks.observation.shared_state import rewritten

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from types import FrameType

    from harness.checks.observation.shared_state import SharedState, SharedThings

_LOCKS = (type(threading.Lock()), type(threading.RLock()), threading.Condition, threading.Semaphore)


def written_without_a_lock(
    own: OwnCode, shared: SharedThings, names: Collection[str], work: Callable[[], object]
) -> list[str]:
    """Return the attributes among ``names`` that the work writes without a shared lock; all if no lock is shared."""
    locks = [leaf for leaves in shared.look().values() for leaf in leaves if isinstance(leaf, _LOCKS)]
    if not locks:
        return list(names)
    watch = _Watch(own, lambda: shared.look_at(names), locks)
    watch.follow(work)
    return list(watch.unguarded)


class _Watch:
    """Follows the plugin's code instruction by instruction."""

    def __init__(self, own: OwnCode, look: Callable[[], SharedState], locks: Iterable[Any]) -> None:
        self.unguarded: dict[str, None] = {}
        self._own, self._look, self._locks = own, look, list(locks)
        self._last, self._was_held = look(), False

    def follow(self, work: Callable[[], object]) -> None:
        """Do the work, and record in ``unguarded`` the attributes that are written without a lock."""
        before = sys.gettrace()
        sys._getframe().f_trace_opcodes = True  # noqa: SLF001 - settrace of Python 3.12 needs a frame that asks for it
        sys.settrace(self._enter)
        try:
            work()
        finally:
            sys.settrace(before)
        self._compare()

    def _enter(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        if self._own.origin(frame) is not CodeOrigin.OWN:
            return None
        frame.f_trace = self._step  # before the next line: Python 3.13.0 reads it there
        frame.f_trace_opcodes = True
        return self._step

    def _step(self, _frame: FrameType, event: str, _argument: Any) -> Any:
        if event in ("opcode", "return"):
            self._compare()
        return self._step

    def _compare(self) -> None:
        now = self._look()
        if not self._was_held:
            self.unguarded.update(dict.fromkeys(rewritten(self._last, now)))
        self._last, self._was_held = now, any(map(_is_held, self._locks))


def _is_held(lock: Any) -> bool:
    """Return whether a lock is held; by this thread, if the lock knows its owner."""
    if isinstance(lock, threading.Semaphore):
        return lock._value == 0  # noqa: SLF001 - no public attribute shows it
    is_owned = getattr(lock, "_is_owned", None)
    return bool(is_owned() if is_owned else lock.locked())
