"""Explore the format choices that a plugin accepts, position by position, down to full combinations.

Theory. A form is a pair of type and format. A head is the beginning of a combination, with forms that the plugin
accepts one after the other. Heads are the nodes of a tree. Below a head is a branch for each form that the plugin
accepts at the next position. A list of small numbers encodes a path: at each position the number chooses a branch. So
a fuzz rule generates numbers without knowing the plugin. For one plugin they always mean the same path.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeVar

from harness.checks.formats.formats import Asker, Combination, Question
from harness.checks.formats.recorded_answers import RecordedAnswers
from harness.contract.finding import NotRun
from reference_runtime.values import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from harness.checks.formats.formats import Form
    from harness.subject.subject import Subject

    Head = tuple[Form, ...]
    T = TypeVar("T")

#: The most heads that a search for one combination visits. If the last tensor decides, most paths end before it.
_MOST_HEADS = 200


class FormatTree:
    """The forms that a plugin accepts for each tensor, after each choice for the tensors before it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._record = RecordedAnswers(subject)
        self.dims = self._record.dims
        self.num_inputs = len(subject.case.data_inputs)

    def asker(self, plugin: Any) -> Asker:
        """Return an asker for an object of the plugin, with the dimensions of the case's tensors."""
        return Asker(self.subject, plugin, dims=self.dims)

    def forms(self, position: int) -> list[Form]:
        """Return the forms that a builder may offer at a position.

        Forms that the plugin accepts for the first tensor come first, as most plugins accept the same forms everywhere.
        """

        def find() -> list[Form]:
            offered = formats.candidates(self.dims[position], self.subject.trt.DataType.__members__.values())
            plausible = set(self.accepted(())) if position else set()
            return sorted(offered, key=lambda form: form not in plausible)

        return self._remembered(("forms", position), find)

    def all_forms(self, position: int) -> list[Form]:
        """Return every type in every format; the forms that a builder may offer come first."""

        def find() -> list[Form]:
            trt = self.subject.trt
            pairs = itertools.product(trt.DataType.__members__.values(), trt.TensorFormat.__members__.values())
            return list(dict.fromkeys([*self.forms(position), *pairs]))

        return self._remembered(("all forms", position), find)

    def accepted(self, head: Head) -> list[Form]:
        """Return the forms that the plugin accepts after ``head``."""

        def find() -> list[Form]:
            return [form for form in self.forms(len(head)) if self.answer(Question(head, form)) is True]

        return self._remembered(("accepted after", head), find)

    def answer(self, question: Question) -> bool | str:
        """Return a new object's answer to a question, or how it failed; its head is asked first, as TensorRT does."""
        return self._record.outcome(question)

    def combination(self, numbers: Sequence[int]) -> Combination:
        """Return the full combination to which the numbers lead, with types of the case.

        If a path ends before the last tensor, the search goes on with the next branch.

        Raises:
            NotRun: The search found no full combination.
        """
        descent = _Descent(self, numbers)
        forms = descent.below(())
        if forms is None:
            raise NotRun(
                f"no full combination with types of the case was found among {descent.heads} partial combinations"
            )
        return Combination(forms, self.num_inputs)

    def linear_twin(self, combination: Combination) -> Combination | None:
        """Return the combination with the same types and linear formats only; None if the plugin refuses it."""
        linear = self.subject.trt.TensorFormat.LINEAR
        forms = tuple((dtype, linear) for dtype, _ in combination.forms)
        accepts = all(form in self.accepted(forms[:position]) for position, form in enumerate(forms))
        return Combination(forms, combination.num_inputs) if accepts else None

    def of_the_case(self, head: Head) -> list[Form]:
        """Return the forms that the plugin accepts after ``head``; for an input, only with types of the case."""
        inputs = self.subject.case.data_inputs
        accepted = self.accepted(head)
        if len(head) >= len(inputs):
            return accepted
        types = {self.subject.data_type(name) for name in inputs[len(head)].types}
        return [form for form in accepted if form[0] in types]

    def _remembered(self, key: Hashable, find: Callable[[], T]) -> T:
        return self.subject.once(("format tree", key), find)


class _Descent:
    """A depth-first search for a full combination; it begins at each position with the branch that a number chooses."""

    def __init__(self, tree: FormatTree, numbers: Sequence[int]) -> None:
        self.tree = tree
        self.numbers = numbers
        self.heads = 0

    def below(self, head: Head) -> Head | None:
        """Return the first full combination that begins with ``head``; None if there is none, or at the limit."""
        if len(head) == len(self.tree.dims):
            return head
        if self.heads == _MOST_HEADS:
            return None
        self.heads += 1
        branches = self.tree.of_the_case(head)
        first = chosen(self.numbers, len(head)) % max(len(branches), 1)
        for form in (*branches[first:], *branches[:first]):
            combination = self.below((*head, form))
            if combination is not None:
                return combination
        return None


def chosen(numbers: Sequence[int], position: int) -> int:
    """Return the number for a position; 0 without numbers. If there are fewer numbers than positions, they repeat."""
    return numbers[position % len(numbers)] if numbers else 0
