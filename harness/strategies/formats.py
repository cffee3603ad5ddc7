"""What examples about formats are drawn from: strategies of Hypothesis for conversations and for combinations.

What a plugin accepts is not known where examples are drawn. So forms are numbers, which `FormatTree` takes for choices
among what the plugin accepts, whatever that is.
"""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING, Any

from harness.strategies.shapes import runnable_shapes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.cases.facts import Facts

    Asked = dict[str, Any]

#: Tensors beside the inputs that questions are drawn for; of more outputs, the others are not told apart.
_OUTPUTS = 3
#: Questions in a conversation, at the most.
_QUESTIONS = 20
#: A question is drawn as one number, because drawing is most of what an example costs.
_NUMBERS = 1 << 12
#: Bytes that a number is spread over at the most.
_DIGEST = 64
#: A choice among forms is even for any number of them up to 4, and for 6 and 12.
_CHOICES = 12


def conversations(facts: Facts) -> Any:
    """Return a strategy for ``{"questions": [{"forms": [...], "tail": [...], "clone": 0}, ...]}``."""
    from hypothesis import strategies  # noqa: PLC0415 - as in `harness.strategies.shapes`

    # Each range is another one: Hypothesis copies numbers between what is drawn alike, and then asks the same again.
    numbers = [strategies.sampled_from(range(_NUMBERS + place)) for place in range(_QUESTIONS)]
    return strategies.tuples(*numbers).map(functools.partial(_conversation, _tensors(facts)))


def combinations(facts: Facts) -> Any:
    """Return a strategy for ``{"forms": [...], "shapes": [...]}``: a combination, and shapes that are small enough.

    Raises:
        NotApplicable: The case has one shape only.
    """
    from hypothesis import strategies  # noqa: PLC0415 - as above

    # As above; nor does one tuple stand within another.
    ranges = [range(_CHOICES * (place + 1)) for place in range(_tensors(facts))]
    return strategies.builds(_combined, runnable_shapes(facts), *map(strategies.sampled_from, ranges))


def _combined(shapes: dict[str, Any], *forms: int) -> dict[str, Any]:
    return {"forms": [number % _CHOICES for number in forms], **shapes}


def _tensors(facts: Facts) -> int:
    return sum(not entry.shape_input for entry in facts.inputs) + _OUTPUTS


def _conversation(tensors: int, numbers: Sequence[int]) -> dict[str, Any]:
    """Return the conversation of some numbers, one a question; 0 is none, so that any question can be left out."""
    asked: list[Asked] = []
    for number in numbers:
        if number:
            asked.append(_asked(tensors, number, asked[-1] if asked else None))
    return {"questions": asked}


def _asked(tensors: int, number: int, before: Asked | None) -> Asked:
    """Return the question that a number stands for: one of its own, or a neighbour of the one before."""
    digits = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=min(tensors + 5, _DIGEST)).digest()
    kind, clone, length, *tail = digits[:5]
    # Every second time one of the first few forms, which the plugin is likeliest to accept.
    choices = [digit // 2 % 4 if digit % 2 else digit // 2 % 32 for digit in digits[5:]]
    forms = choices[: 1 + length % tensors]
    if before is not None and kind % 4 == 0:  # the same form after another head
        forms = [*choices[: len(before["forms"]) - 1], before["forms"][-1]]
    elif before is not None and kind % 4 == 1:  # another form after the same head
        forms = [*before["forms"][:-1], choices[-1]]
    # Behind ``pos`` stands nothing that means anything, one of the first few forms, or any.
    strays = [(0, 1 + digit // 4 % 4, digit // 4 % 32, digit)[digit % 4] for digit in tail]
    return {"forms": forms, "tail": strays, "clone": int(clone % 8 == 0)}
