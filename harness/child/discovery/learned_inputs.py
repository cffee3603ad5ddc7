"""Find the inputs of a plugin: its refusals say what is wrong with others, and its texts describe them."""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import TYPE_CHECKING, Any

from msgspec import structs

from harness.child.discovery.attempts import Attempt
from harness.child.discovery.integer_inputs import with_harmless_integers
from harness.child.discovery.layouts import Layout
from harness.child.discovery.learning import learned
from harness.child.discovery.shape_notation import layouts_in
from harness.child.discovery.source_hints import texts_of
from harness.contract.interface import DYNAMIC, IMPLICIT_BATCH, VERSION_3
from harness.contract.language import Language
from harness.subject.creators import definition_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.cases.case import Case
    from harness.child.discovery.attempts import Attempts
    from harness.subject.subject import Subject

#: How many guesses are tried for the first choice of fields of a plugin in C++, and for each other.
MOST_LEARNED = (150, 50)
#: The same of a plugin in Python.
MOST_LEARNED_IN_PYTHON = 600
#: How many layouts that texts describe are tried.
MOST_DESCRIBED = 50
#: The refusal of a guess that went less far than others.
_LESS_FAR = "less far"
#: Addresses, and numbers and shapes as Python prints them.
_NUMBERS = re.compile(r"0x[0-9a-f]+|[-\s,()\[\]]*\d[-\d\s,()\[\]]*")


def with_learned_inputs(
    subject: Subject, attempts: Attempts, choices: Sequence[dict[str, Any]], kinds: Sequence[str]
) -> Attempt | None:
    """Return an attempt that a plugin in C++ takes, without an error that it logs; None if none was found."""
    if subject.language is not Language.CPP or subject.interface in IMPLICIT_BATCH:
        return None
    for number, fields in enumerate(choices):
        search = _Search(attempts, dataclasses.replace(subject.case, fields=fields), kinds)
        if learned(Layout.ranked(4), search.refusal_of, Layout.nearby, MOST_LEARNED[number > 0]) is not None:
            return search.last
    return None


def with_described_inputs(subject: Subject, attempts: Attempts, best: Attempt, kinds: Sequence[str]) -> Attempt:
    """Return the best attempt, also of those with inputs that a text of the plugin's module describes.

    Described inputs with which the plugin does not run at all corners are refused: the guess is not narrowed.
    """
    if subject.language is Language.CPP or subject.interface not in DYNAMIC:
        return best
    own = subject.with_case(best.case)
    plugin, _ = own.try_create(own.fields)
    search = _Search(attempts, own.case, kinds)
    layouts = dict.fromkeys(layout for text in texts_of(subject.creator, plugin) for layout in layouts_in(text))
    for layout in itertools.islice(layouts, MOST_DESCRIBED):
        for each in (layout, structs.replace(layout, is_even=True)):
            search.refusal_of(each)
            best = max(best, search.last, key=lambda attempt: attempt.progress)
            if best.is_complete:
                return best
    return best.as_refused


def learned_from(subject: Subject, attempts: Attempts, refused: Attempt, kinds: Sequence[str]) -> Attempt:
    """Return the attempt that goes farthest where refusals of a plugin in Python say what to try next."""
    if subject.language is Language.CPP or subject.interface in IMPLICIT_BATCH:
        return refused
    search = _PatientSearch(attempts, refused.case, kinds, lambda layout: _may_have(subject, layout))
    learned(Layout.ranked(4), search.refusal_of, search.nearby, MOST_LEARNED_IN_PYTHON)
    return max(refused, search.best, key=lambda attempt: attempt.progress)


def _may_have(subject: Subject, layout: Layout) -> bool:
    """Return whether a plugin's interface allows the layout, and its decorator, where it has one, the number."""
    definition = definition_of(subject.creator)
    is_counted = definition is None or len(definition.known.tensors) == len(layout.dims)
    return is_counted and (not layout.values or subject.interface in VERSION_3)


class _Search:
    """Tries layouts with the types that the plugin takes.

    Attributes:
        last: The last attempt.
    """

    def __init__(self, attempts: Attempts, case: Case, kinds: Sequence[str]) -> None:
        self.last = Attempt(case, -1)
        self._attempts = attempts
        self._case = case
        self._kinds = kinds
        self._types: dict[int, Sequence[str]] = {}

    def refusal_of(self, layout: Layout) -> str:
        """Return how the plugin refuses a layout; empty if it takes it."""
        count = len(layout.ranks)
        attempt = self._with(layout, self._types.get(count, (self._kinds[0],) * count))
        if attempt.refuses_types and (better := self._with_types(layout)).reached > attempt.reached:
            self._types[count] = [each.types[0] for each in better.case.data_inputs]
            attempt = better
        self.last = attempt
        return attempt.refusal_text

    def _with(self, layout: Layout, types: Sequence[str]) -> Attempt:
        case = dataclasses.replace(self._case, inputs=layout.inputs(types))
        return self._attempts.with_case(with_harmless_integers(case))

    def _with_types(self, layout: Layout) -> Attempt:
        """Return an attempt with the types that the plugin takes in linear format, or else with the best type."""
        equal = [(kind,) * len(layout.ranks) for kind in self._kinds]
        case = dataclasses.replace(self._case, inputs=layout.inputs(equal[0]))
        types = self._attempts.types_taken(case, self._kinds)
        attempts = (self._with(layout, each) for each in ([types] if types else equal))
        return max(attempts, key=lambda attempt: attempt.reached)


class _PatientSearch(_Search):
    """The same, until the plugin runs with all shapes.

    Refusals of one line of a plugin in Python that differ in numbers alone are one refusal.

    Attributes:
        best: The attempt that went farthest; of equals, that which a later line refused.
    """

    def __init__(
        self, attempts: Attempts, case: Case, kinds: Sequence[str], may_have: Callable[[Layout], bool]
    ) -> None:
        super().__init__(attempts, case, kinds)
        self.best = self.last
        self._may_have = may_have
        self._tried: set[Layout] = set()
        self._texts: dict[str, str] = {}

    def refusal_of(self, layout: Layout) -> str:
        """Return when, where and how the plugin refuses a layout, without its numbers; empty if it takes it."""
        self._tried.add(layout)
        text = super().refusal_of(layout) or self.last.refusal
        refusal = f"{self.last.reached} {_NUMBERS.sub('#', text)} {self.last.place}" if text else ""
        if self.last.reached < self.best.reached:
            return _LESS_FAR
        self.best = max(self.best, self.last, key=lambda attempt: attempt.progress)
        self._texts.setdefault(refusal, text)
        return refusal

    def nearby(self, layout: Layout, refusal: str) -> Iterator[Layout]:
        """Yield layouts that were not tried: what the plugin says that it wants, then changes to this layout."""
        text = self._texts.get(refusal)
        if text is not None:
            layouts = itertools.chain(layouts_in(text), layout.further(text))
            yield from (each for each in layouts if each not in self._tried and self._may_have(each))
