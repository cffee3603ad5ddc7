"""Explore the format choices that a plugin accepts, position by position, down to full combinations.

Theory. Every beginning of a combination that the plugin accepts is a node. Below it is a branch for each form that it
accepts at the next position. A list of small numbers is a way down: at each position the number chooses among the
branches. So an example of a fuzz rule need not know what a plugin accepts, and means the same each time.
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

#: Heads that are looked at on the way to one combination: where the last tensor decides, most ways end before it.
_MOST_HEADS = 200


class FormatTree:
    """The forms that a plugin accepts for each tensor, after each choice for the tensors before it."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._record = RecordedAnswers(subject)
        self.dims = self._record.dims
        self.num_inputs = len(subject.case.data_inputs)

    def asker(self, plugin: Any) -> Asker:
        """Return who asks an object about the tensors of the case."""
        return Asker(self.subject, plugin, dims=self.dims)

    def forms(self, position: int) -> list[Form]:
        """Return what a builder may offer at a position; what the plugin accepts for the first tensor leads.

        Most plugins take the same types and formats everywhere.
        """

        def find() -> list[Form]:
            offered = formats.candidates(self.dims[position], self.subject.trt.DataType.__members__.values())
            plausible = set(self.accepted(())) if position else set()
            return sorted(offered, key=lambda form: form not in plausible)

        return self._remembered(("forms", position), find)

    def all_forms(self, position: int) -> list[Form]:
        """Return every type in every format, those first that a builder may offer."""

        def find() -> list[Form]:
            trt = self.subject.trt
            pairs = itertools.product(trt.DataType.__members__.values(), trt.TensorFormat.__members__.values())
            return list(dict.fromkeys([*self.forms(position), *pairs]))

        return self._remembered(("all forms", position), find)

    def accepted(self, head: Head) -> list[Form]:
        """Return what is accepted after ``head``."""

        def find() -> list[Form]:
            return [form for form in self.forms(len(head)) if self.answer(Question(head, form)) is True]

        return self._remembered(("accepted after", head), find)

    def answer(self, question: Question) -> bool | str:
        """Return the answer to a question, or how it failed, where questions come in TensorRT's order."""
        return self._record.outcome(question)

    def combination(self, numbers: Sequence[int]) -> Combination:
        """Return the full combination, of types of the case, to which the numbers lead.

        Where a way ends before the last tensor, the next one is taken.

        Raises:
            NotRun: There is none, as far as was looked.
        """
        descent = _Descent(self, numbers)
        found = descent.below(())
        if found is None:
            raise NotRun(
                f"no full combination with types of the case was found among {descent.heads} partial combinations"
            )
        return Combination(found, self.num_inputs)

    def linear_twin(self, combination: Combination) -> Combination | None:
        """Return the combination of the same types with linear tensors alone, if the plugin accepts it."""
        linear = self.subject.trt.TensorFormat.LINEAR
        forms = tuple((dtype, linear) for dtype, _ in combination.forms)
        taken = all(form in self.accepted(forms[:position]) for position, form in enumerate(forms))
        return Combination(forms, combination.num_inputs) if taken else None

    def of_the_case(self, head: Head) -> list[Form]:
        """Return what is accepted after ``head``; of an input, in the types that the case names for it."""
        inputs = self.subject.case.data_inputs
        accepted = self.accepted(head)
        if len(head) >= len(inputs):
            return accepted
        wanted = {self.subject.data_type(name) for name in inputs[len(head)].types}
        return [form for form in accepted if form[0] in wanted]

    def _remembered(self, key: Hashable, find: Callable[[], T]) -> T:
        return self.subject.once(("format tree", key), find)


class _Descent:
    """One way down the tree: at each position it begins with the branch that a number chooses."""

    def __init__(self, tree: FormatTree, numbers: Sequence[int]) -> None:
        self.tree = tree
        self.numbers = numbers
        self.heads = 0

    def below(self, head: Head) -> Head | None:
        """Return the first full combination that begins so, or None."""
        if len(head) == len(self.tree.dims):
            return head
        if self.heads == _MOST_HEADS:
            return None
        self.heads += 1
        branches = self.tree.of_the_case(head)
        first = chosen(self.numbers, len(head)) % max(len(branches), 1)
        for form in (*branches[first:], *branches[:first]):
            found = self.below((*head, form))
            if found is not None:
                return found
        return None


def chosen(numbers: Sequence[int], position: int) -> int:
    """Return the number for a position; where there are more positions than numbers, these begin again."""
    return numbers[position % len(numbers)] if numbers else 0
