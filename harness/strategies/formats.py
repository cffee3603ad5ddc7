"""Generate examples about formats: strategies of Hypothesis for conversations and for combinations.

What a plugin accepts is not known where examples are drawn. So forms are numbers, which `FormatTree` takes for choices
among what the plugin accepts.
"""

from __future__ import annotations

import functools
import hashlib
from typing import TYPE_CHECKING, Any

from harness.strategies.covering import Column, covering
from harness.strategies.examples import Examples
from harness.strategies.shapes import columns_of, insist_on_extents, runnables, small

if TYPE_CHECKING:
    import random
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
#: The forms that meet each other in listed examples, and what stands behind ``pos`` there; 0 is nothing.
_FORMS, _STRAYS = Column((0, 1, 2, 3)), Column((0, 1, 2, 3, 4))
#: Accepted forms that meet each other in listed combinations, and all that stand in some.
_ACCEPTED = Column((0, 1, 2), tuple(range(_CHOICES)))
#: Places behind ``pos`` that are told apart.
_TAIL = 2
#: How often a clone is asked.
_CLONES = 0.125


def conversations(facts: Facts) -> Examples:
    """Return examples ``{"questions": [{"forms": [...], "tail": [...], "clone": 0}, ...]}``."""
    tensors = _tensors(facts)

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - as in `harness.strategies.shapes`

        # Each range is another one: Hypothesis copies numbers between what is drawn alike, and asks the same again.
        numbers = [strategies.sampled_from(range(_NUMBERS + place)) for place in range(_QUESTIONS)]
        return strategies.tuples(*numbers).map(functools.partial(_conversation, tensors))

    return Examples(drawn, functools.partial(_listed_conversations, tensors), ends=True, remembers=True)


def _listed_conversations(tensors: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return conversations in which the first few forms meet each other at each position, and behind it."""
    asked = [
        _about(row, pos, clone=chance.random() < _CLONES)
        for pos in range(tensors)
        for row in covering([_FORMS] * (pos + 1) + [_STRAYS] * min(tensors - pos - 1, _TAIL), chance)
    ]
    chance.shuffle(asked)
    return [{"questions": asked[begin : begin + _QUESTIONS]} for begin in range(0, len(asked), _QUESTIONS)]


def _about(row: Sequence[int], pos: int, *, clone: bool) -> Asked:
    tail = [*row[pos + 1 :], *[0] * _TAIL][:_TAIL]
    return {"forms": list(row[: pos + 1]), "tail": tail, "clone": int(clone)}


def combinations(facts: Facts) -> Examples:
    """Return examples ``{"forms": [...], "shapes": [...]}``: a combination, and shapes that are small enough.

    Raises:
        NotApplicable: The case has one shape only.
    """
    insist_on_extents(facts)
    tensors = _tensors(facts)

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - as above

        # As above; nor does one tuple stand within another.
        ranges = [range(_CHOICES * (place + 1)) for place in range(tensors)]
        return strategies.builds(_combined, runnables(facts), *map(strategies.sampled_from, ranges))

    return Examples(drawn, functools.partial(_listed_combinations, facts, tensors), ends=True)


def _listed_combinations(facts: Facts, tensors: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return combinations of the first few forms, and of those with the bounds of dimensions."""
    rows = covering([*[_ACCEPTED] * tensors, *columns_of(facts, chance)], chance)
    keys, shapes_at = [extent.key for extent in facts.extents], small(facts)
    return [
        {"forms": list(row[:tensors]), "shapes": shapes_at(dict(zip(keys, row[tensors:], strict=True)))} for row in rows
    ]


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
    """Return the question that a number encodes: an independent question, or a neighbour of the previous question."""
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
