"""Decode generated numbers into a series of format questions to a plugin object and its clone.

A form is a pair of type and format. Each number chooses a form, modulo the number of forms, so every number has a
meaning for every plugin. The forms before ``pos`` are forms that the plugin accepts one after the other, as in
TensorRT. The descriptions after ``pos`` are arbitrary, because TensorRT promises nothing about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.format_tree import chosen
from harness.checks.formats.formats import Question, form_name
from reference_runtime.calling.trampolines import v2
from reference_runtime.values.descriptions import Description

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.checks.formats.format_tree import FormatTree
    from harness.checks.formats.formats import Asker, Form


class Posed(msgspec.Struct, frozen=True):
    """One question, with the descriptions after ``pos``, and the object to ask.

    Attributes:
        question: The forms up to ``pos``.
        tail: The descriptions after ``pos``, one for each position.
        of_clone: Whether to ask a clone of the object.
    """

    question: Question
    tail: tuple[Description, ...] = ()
    of_clone: bool = False

    def ask(self, asker: Asker) -> bool | str:
        """Ask the plugin, and return the answer, or how the method failed."""
        head = asker.descriptions(self.question)[: self.question.pos + 1]
        return asker.outcome_shown(self.question.pos, [*head, *self.tail])

    def __str__(self) -> str:
        names = ("undefined" if desc == v2.INVALID else form_name((desc.type, desc.format)) for desc in self.tail)
        behind = ", ".join(names)
        return f"{self.question}{' of a clone' * self.of_clone}{f'; behind pos: {behind}' if behind else ''}"


def conversation(tree: FormatTree, drawn: Sequence[Mapping[str, Any]]) -> Iterator[Posed]:
    """Yield the question that each ``{"forms": [...], "tail": [...], "clone": 0 or 1}`` encodes.

    The last of ``forms`` chooses the form in question, among all forms that a builder may offer. The others choose the
    accepted forms before ``pos``. ``tail`` chooses the descriptions after ``pos``: 0 is an undefined description.
    """
    for each in drawn:
        numbers = each["forms"][: len(tree.dims)]
        head: tuple[Form, ...] = ()
        for number in numbers[:-1]:
            accepted = tree.accepted(head)
            if not accepted:
                break
            head = (*head, accepted[number % len(accepted)])
        forms = tree.forms(len(head))
        question = Question(head, forms[numbers[len(head)] % len(forms)])
        behind = range(question.pos + 1, len(tree.dims))
        tail = tuple(_stray(tree, place, chosen(each["tail"], place - question.pos - 1)) for place in behind)
        yield Posed(question, tail, bool(each["clone"]))


def _stray(tree: FormatTree, position: int, number: int) -> Description:
    """Return the description that a number means after ``pos``: undefined for 0, else one with any type and format."""
    if number == 0:
        return v2.INVALID
    forms = tree.all_forms(position)
    return Description(tuple(tree.dims[position]), *forms[(number - 1) % len(forms)])
