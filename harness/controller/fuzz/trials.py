"""The tries of one shrinking: which examples fail in the way of the first one, each asked once."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from harness.contract.fingerprint import without_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.contract.verdict import Answer

#: Seconds that shrinking may take; Hypothesis ends by itself much earlier, but where each try is a hang.
_SECONDS = 60.0


class Trials:
    """The tries of one shrinking: which examples fail in the way of the first one."""

    def __init__(self, ask: Callable[..., Answer], first: Answer, example: Any, deadline: float | None) -> None:
        self._ask = ask
        self._signature = signature(first)
        self._deadline = deadline
        self._first = key_of(example)
        self._is_reached = False
        self._known = {self._first: True}
        self._end = time.monotonic() + _SECONDS

    def passed(self, keys: set[str]) -> None:
        """Take over which examples need not be tried again."""
        self._known.update(dict.fromkeys(keys, False))

    def fails(self, example: Any) -> bool:
        """Return whether an example fails in the same way; those that are drawn before the first one shall not."""
        key = key_of(example)
        self._is_reached = self._is_reached or key == self._first
        if not self._is_reached:
            return False
        if key not in self._known:
            self._known[key] = not self._is_late and self._is_same(self._ask([example], self._deadline))
        return self._known[key]

    def first_failing(self, examples: list[Any]) -> Any:
        """Return the first of some examples that fails in the same way, or None."""
        untried = [example for example in examples if self._known.get(key_of(example), True)]
        while untried and not self._is_late:
            answer = self._ask(untried, self._deadline)
            if not answer.fails:
                return None
            found = untried[answer.done]
            if self._is_same(answer) and self._fails_alone(found, answer):
                return found
            del untried[: answer.done + 1]
        return None

    def _fails_alone(self, example: Any, answer: Answer) -> bool:
        """Return whether what failed in a row fails by itself, and not for what was judged before it."""
        key = key_of(example)
        if key not in self._known:
            self._known[key] = answer.done == 0 or self._is_same(self._ask([example], self._deadline))
        return self._known[key]

    @property
    def _is_late(self) -> bool:
        return time.monotonic() > self._end

    def _is_same(self, answer: Answer) -> bool:
        return signature(answer) == self._signature


def signature(answer: Answer) -> tuple[str, ...]:
    """Return what makes two failures the same one, at any shape; empty for no failure."""
    if answer.mishap is not None:
        return (answer.mishap.callback, without_numbers(answer.mishap.how))
    if not answer.broken:
        return ()
    return (without_numbers(answer.violations[0].what),)


def key_of(example: Any) -> str:
    """Return a key that differs between different examples."""
    return json.dumps(example, sort_keys=True)
