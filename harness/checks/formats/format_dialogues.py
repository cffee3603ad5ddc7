"""Generate series of questions about formats: the descriptions behind ``pos``, and the object that is asked.

The generated numbers are small. They choose among accepted forms or all forms, so each number has a meaning for every
plugin. A question is genuine: the forms before ``pos`` are accepted one after the other. TensorRT promises nothing
about the descriptions behind it.
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
    """A question as it was put.

    Attributes:
        question: The question.
        tail: The descriptions behind ``pos``, position by position.
        of_clone: Whether a clone of the object was asked.
    """

    question: Question
    tail: tuple[Description, ...] = ()
    of_clone: bool = False

    def ask(self, asker: Asker) -> bool | str:
        """Return the answer, or how the question failed."""
        head = asker.descriptions(self.question)[: self.question.pos + 1]
        return asker.outcome_shown(self.question.pos, [*head, *self.tail])

    def __str__(self) -> str:
        names = ("undefined" if desc == v2.INVALID else form_name((desc.type, desc.format)) for desc in self.tail)
        behind = ", ".join(names)
        return f"{self.question}{' of a clone' * self.of_clone}{f'; behind pos: {behind}' if behind else ''}"


def conversation(tree: FormatTree, drawn: Sequence[Mapping[str, Any]]) -> Iterator[Posed]:
    """Yield the questions that ``{"forms": [...], "tail": [...], "clone": 0 or 1}`` encodes.

    The last of ``forms`` chooses the form in question, among all that exist. The others choose the accepted forms
    before ``pos``. ``tail`` chooses the descriptions behind it: 0 is a description without a meaning.
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
    """Return the description that a number puts behind ``pos``: one without a meaning, or some type and format."""
    if number == 0:
        return v2.INVALID
    forms = tree.all_forms(position)
    return Description(tuple(tree.dims[position]), *forms[(number - 1) % len(forms)])
