"""Judge the examples that shrinking tries, each once, and compare their failures with the first failure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.contract.fingerprint import without_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.contract.verdict import Answer

#: After this many hangs no further example is tried, because each hang takes a whole deadline.
_HANGS = 3


class Trials:
    """The examples that shrinking has tried, and which of them fail in the same way as the first example."""

    def __init__(self, ask: Callable[..., Answer], first: Answer, example: Any) -> None:
        self._ask = ask
        self._signature = signature(first)
        self._first = key_of(example)
        self._is_reached = False
        self._known = {self._first: True}
        self._hangs = 0

    def passed(self, keys: set[str]) -> None:
        """Note the keys of examples that passed: they are not tried again."""
        self._known.update(dict.fromkeys(keys, False))

    def fails(self, example: Any) -> bool:
        """Return whether an example fails in the same way; False for all that Hypothesis tries before the first."""
        key = key_of(example)
        self._is_reached = self._is_reached or key == self._first
        if not self._is_reached:
            return False
        if key not in self._known:
            self._known[key] = not self._is_spent and self._is_same(self._asked([example]))
        return self._known[key]

    def first_failing(self, examples: list[Any]) -> Any:
        """Return the first of some examples that fails in the same way, or None."""
        untried = [example for example in examples if self._known.get(key_of(example), True)]
        while untried and not self._is_spent:
            answer = self._asked(untried)
            if not answer.fails:
                return None
            failing = untried[answer.done]
            if self._is_same(answer) and self._fails_alone(failing, answer):
                return failing
            del untried[: answer.done + 1]
        return None

    def _fails_alone(self, example: Any, answer: Answer) -> bool:
        """Return whether an example that failed behind others fails alone, too.

        After a hang this is assumed, because each hang costs a deadline. The search judges the smallest example again.
        """
        key = key_of(example)
        if key not in self._known:
            self._known[key] = answer.done == 0 or answer.overdue or self._is_same(self._asked([example]))
        return self._known[key]

    def _asked(self, examples: list[Any]) -> Answer:
        answer = self._ask(examples)
        self._hangs += answer.overdue
        return answer

    @property
    def _is_spent(self) -> bool:
        return self._hangs >= _HANGS

    def _is_same(self, answer: Answer) -> bool:
        return signature(answer) == self._signature


def signature(answer: Answer) -> tuple[str, ...]:
    """Return what two failures of one kind share: their texts without numbers.

    Empty for an answer without a failure.
    """
    if answer.mishap is not None:
        return (answer.mishap.callback, without_numbers(answer.mishap.how))
    if not answer.broken:
        return ()
    return (without_numbers(answer.violations[0].what),)


def key_of(example: Any) -> str:
    """Return a key that differs between different examples."""
    return json.dumps(example, sort_keys=True)
