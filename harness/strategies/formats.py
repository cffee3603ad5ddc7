"""Generate examples about formats: series of questions (conversations), and combinations.

A form is a pair of type and format. Pytest's process, which generates the examples, does not know the forms that a
plugin accepts. So a form is a number, which `FormatTree` uses to choose among the accepted forms.
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

#: The number of outputs that examples have forms for; if a plugin has more outputs, the numbers repeat.
_OUTPUTS = 3
#: The most questions in a conversation.
_QUESTIONS = 20
#: A question is generated as one number below about this, because generating takes most of an example's time.
_NUMBERS = 1 << 12
#: The most bytes of the digest that a number is expanded to.
_DIGEST = 64
#: A form in a combination is a number below this. All accepted forms are equally likely if there are 1 to 4, 6 or 12.
_CHOICES = 12
#: Forms in fixed conversations: before and at ``pos``, and after it, where 0 is an undefined description.
_FORMS, _STRAYS = Column((0, 1, 2, 3)), Column((0, 1, 2, 3, 4))
#: Accepted forms in fixed combinations: those that occur in all pairs, and all that occur.
_ACCEPTED = Column((0, 1, 2), tuple(range(_CHOICES)))
#: The number of places after ``pos`` that have their own descriptions.
_TAIL = 2
#: The fraction of questions to a clone in fixed conversations.
_CLONES = 0.125


def conversations(facts: Facts) -> Examples:
    """Return examples ``{"questions": [{"forms": [...], "tail": [...], "clone": 0}, ...]}``."""
    tensors = _tensors(facts)

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - see `harness.strategies.shapes`

        # All ranges differ: between equal ranges Hypothesis copies numbers, which repeats questions.
        numbers = [strategies.sampled_from(range(_NUMBERS + place)) for place in range(_QUESTIONS)]
        return strategies.tuples(*numbers).map(functools.partial(_conversation, tensors))

    return Examples(drawn, functools.partial(_listed_conversations, tensors), ends=True, remembers=True)


def _listed_conversations(tensors: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return conversations with all pairs of the first few forms before, at and after each position."""
    questions = [
        _about(row, pos, clone=chance.random() < _CLONES)
        for pos in range(tensors)
        for row in covering([_FORMS] * (pos + 1) + [_STRAYS] * min(tensors - pos - 1, _TAIL), chance)
    ]
    chance.shuffle(questions)
    return [{"questions": questions[begin : begin + _QUESTIONS]} for begin in range(0, len(questions), _QUESTIONS)]


def _about(row: Sequence[int], pos: int, *, clone: bool) -> Asked:
    tail = [*row[pos + 1 :], *[0] * _TAIL][:_TAIL]
    return {"forms": list(row[: pos + 1]), "tail": tail, "clone": int(clone)}


def combinations(facts: Facts) -> Examples:
    """Return examples ``{"forms": [...], "shapes": [...]}``: a combination, and shapes that are small enough to run.

    Raises:
        NotApplicable: The case has no dynamic dimension.
    """
    insist_on_extents(facts)
    tensors = _tensors(facts)

    def drawn() -> Any:
        from hypothesis import strategies  # noqa: PLC0415 - as above

        # All ranges differ, as above, and no tuple is inside another tuple.
        ranges = [range(_CHOICES * (place + 1)) for place in range(tensors)]
        return strategies.builds(_combined, runnables(facts), *map(strategies.sampled_from, ranges))

    return Examples(drawn, functools.partial(_listed_combinations, facts, tensors), ends=True)


def _listed_combinations(facts: Facts, tensors: int, chance: random.Random) -> list[dict[str, Any]]:
    """Return combinations with all pairs of the first few forms and of the bounds of dimensions."""
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
    """Return the conversation that numbers encode, one for each question; 0 leaves out a question."""
    questions: list[Asked] = []
    for number in numbers:
        if number:
            questions.append(_asked(tensors, number, questions[-1] if questions else None))
    return {"questions": questions}


def _asked(tensors: int, number: int, before: Asked | None) -> Asked:
    """Return the question that a number encodes: an independent question, or a neighbour of the previous question."""
    digits = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=min(tensors + 5, _DIGEST)).digest()
    kind, clone, length, *tail = digits[:5]
    # Half of the choices are one of the first four forms, which the plugin is most likely to accept.
    choices = [digit // 2 % 4 if digit % 2 else digit // 2 % 32 for digit in digits[5:]]
    forms = choices[: 1 + length % tensors]
    if before is not None and kind % 4 == 0:  # the same form after another head
        forms = [*choices[: len(before["forms"]) - 1], before["forms"][-1]]
    elif before is not None and kind % 4 == 1:  # another form after the same head
        forms = [*before["forms"][:-1], choices[-1]]
    # After ``pos`` is an undefined description, one of the first few forms, or any form.
    strays = [(0, 1 + digit // 4 % 4, digit // 4 % 32, digit)[digit % 4] for digit in tail]
    return {"forms": forms, "tail": strays, "clone": int(clone % 8 == 0)}
