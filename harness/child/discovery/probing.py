"""Infer a case for a plugin without a case: fields, inputs, ranks and types that it accepts.

A refusal narrows the case and is no failure. The attempt that comes farthest wins. Of equals, one that only lacks
a GPU or a package wins, then the first.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from harness.cases.case import Case, Input
from harness.cases.unknown import Unknown, unknown
from harness.child.discovery.attempts import Attempt, Attempts, with_words
from harness.child.discovery.extents import with_known_extents, without_refused_extents
from harness.child.discovery.field_guesses import field_choices
from harness.child.discovery.integer_inputs import with_harmless_integers, with_integers
from harness.child.discovery.layouts import guessed_scale
from harness.child.discovery.learned_inputs import learned_from, with_described_inputs, with_learned_inputs
from harness.child.discovery.listening import listening
from harness.child.discovery.other_types import with_other_types
from harness.child.discovery.separate_dims import with_separate_dims
from harness.child.discovery.source_hints import hints_of
from harness.child.discovery.weights import with_weights
from harness.child.discovery.wider_dims import with_wider_dims
from harness.child.observers import ConversionAllower
from harness.contract.api_level import missing_types
from harness.contract.interface import IMPLICIT_BATCH
from harness.contract.language import Language
from harness.contract.wording import in_brackets
from harness.subject.creators import definition_of
from harness.subject.serialized_cases import plain_input

if TYPE_CHECKING:
    from harness.child.discovery.source_hints import SourceHints
    from harness.subject.subject import Subject

NUMBERS_OF_INPUTS = (1, 2, 3, 4, 5, 6)
RANKS = (4, 3, 2, 5, 1)
TYPES = ("float32", "float16", "int32", "int8", "int64", "bfloat16")
#: Profiles (min, opt, max) to try, of which a plugin of rank n gets the last n dimensions: odd ones, where rounding
#: shows, then powers of two, for plugins that need a multiple of something.
_LADDERS = (
    ((1, 1, 1, 1, 1), (2, 2, 3, 8, 8), (4, 3, 4, 9, 16)),
    ((2, 4, 16, 8, 8), (2, 4, 16, 8, 8), (4, 8, 32, 16, 16)),
)
#: The same for inputs of unequal shapes. No two dimensions are equal, so that no other dimension fits by chance.
_UNEQUAL = ((1, 2, 4, 8, 16), (1, 2, 4, 8, 16), (2, 4, 8, 16, 32))
#: Guesses at the inputs that are tried at most; a plugin whose creator takes one kind of fields has about 1,200.
MOST_GUESSES = 2000
#: How many are tried before weights, which have an element for each channel: those of one input.
FIRST_GUESSES = len(_LADDERS) * len(RANKS) * len(TYPES)
#: How NumPy since 2.4 refuses to take an array of one element for a number.
_NO_SCALAR = "only 0-dimensional arrays can be converted"
#: Ranks of the first input beside which smaller ones are tried.
_BROADCAST_RANKS = (2, 3, 4)
#: An input to be filled in.
_BLANK_INPUT = "{'dims': (...), 'min': (...), 'opt': (...), 'max': (...), 'types': ('float32',)}"


def probe(subject: Subject, *, careful: bool = False) -> Case:
    """Return the case with which the plugin goes farthest; its name is ``inferred``.

    It is incomplete if ``create_plugin`` makes no plugin from the fields that were tried. It is also incomplete if the
    plugin refuses all inputs that were tried. Then the fields or the inputs are unknown.

    Args:
        subject: The plugin, with a case that has no inputs and fields yet.
        careful: Whether guesses are tried in separate processes, because a guess ended this process before.
    """
    with contextlib.ExitStack() as stack:
        ear = stack.enter_context(listening()) if subject.language is Language.CPP else None
        return _probed(subject, Attempts(subject, careful=careful, ear=ear))


def _probed(subject: Subject, attempts: Attempts) -> Case:
    hints = hints_of(subject.creator)
    choices, refusal = field_choices(subject, attempts, hints)
    if not choices and _NO_SCALAR in refusal:  # PFD-007 reports it, and the other rules are judged as if it passed
        subject.gate.observers.append(ConversionAllower())
        choices, refusal = field_choices(subject, attempts, hints)
    if not choices:
        return _without_a_plugin(subject, refusal)
    kinds = types_at(subject.spec)
    search = _Search(attempts, _guesses(subject, choices, hints), kinds)
    best = with_learned_inputs(subject, attempts, choices, kinds) or _farthest(subject, attempts, search)
    if not best.ran and best.refusal:
        reason = f"no case gives the plugin's inputs, and none could be inferred: {_told(best, search.refusals)}"
        return dataclasses.replace(best.case, inputs=unknown(reason, len(best.case.inputs)))
    return _completed(subject, attempts, without_refused_extents(subject, attempts, best))


def _farthest(subject: Subject, attempts: Attempts, search: _Search) -> Attempt:
    """Return the attempt that goes farthest, be it with fixed dimensions or with weights.

    If the plugin takes the inputs that its texts describe, and fails in a run, no others are learned.
    """
    is_symbolic, kinds = subject.interface not in IMPLICIT_BATCH, types_at(subject.spec)
    best = search.best_of(FIRST_GUESSES)
    is_refused = not best.ran or best.refuses_configuration
    for change in (with_weights, with_known_extents) if is_symbolic and is_refused else ():
        changed = change(attempts, best)
        if changed.ran and changed.reached > best.reached:
            return changed
    described = best if best.ran else with_described_inputs(subject, attempts, best, kinds)
    if described.is_complete:
        return described
    alone, best = best, search.best_of(MOST_GUESSES)
    if described.case is not alone.case and not best.ran and described.progress >= best.progress:
        return described if described.refuses_to_run else learned_from(subject, attempts, described, kinds)
    if best.crashed:  # nothing went farther: it is no wrong guess that ends the process
        best = attempts.here(best.case)
    if not best.ran and best.refusal and is_symbolic:
        best = with_known_extents(attempts, best)
    if not best.ran and is_symbolic:
        best = with_weights(attempts, best)
    if best.ran or best.death or not best.refusal:
        return best
    learned = learned_from(subject, attempts, best, kinds)
    return learned if learned.ran else _without_networks(attempts, learned)


class _Guess(msgspec.Struct, frozen=True):
    """A case to try.

    Attributes:
        case: The case.
        is_untyped: Whether its inputs get the types that the plugin takes one input after the other, if they differ.
    """

    case: Case
    is_untyped: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """The number of inputs, and the rank of the first."""
        inputs = self.case.inputs
        return len(inputs), len(inputs[0].profile[0]) if inputs else 0


class _Search:
    """Tries guesses one after the other, until the plugin takes one.

    Once it ran with the best shapes, other shapes are tried, and no other number or types of inputs. Once a guess is
    stuck, one guess with the same fields is tried for each other number and rank.

    Attributes:
        best: The attempt that went farthest.
        refusals: How often each refusal came.
    """

    def __init__(self, attempts: Attempts, guesses: Iterator[_Guess], types: Sequence[str] = TYPES) -> None:
        first = next(guesses)
        self.best, self.refusals = Attempt(first.case, -1), Counter[str]()
        self._attempts = attempts
        self._guesses = itertools.chain([first], guesses)
        self._types = types
        self._deadly: set[tuple[int, int]] = set()
        self._tried: set[tuple[int, tuple[int, int]]] = set()
        self._stuck: set[int] = set()
        self._is_over = False

    def best_of(self, most: int) -> Attempt:
        """Return the best attempt after so many further guesses, or fewer where one is taken."""
        for guess in itertools.islice(self._guesses, 0 if self._is_over else most):
            fields = id(guess.case.fields)
            if guess.place in self._deadly or (fields in self._stuck and (fields, guess.place) in self._tried):
                continue
            case = self._typed(guess.case) if guess.is_untyped else guess.case
            if case is None or (self.best.ran and not _have_equal_types(case, self.best.case)):
                continue
            self._tried.add((fields, guess.place))
            self._take(guess, self._attempts.with_case(case))
            if self._is_over:
                break
        return self.best

    def _take(self, guess: _Guess, attempt: Attempt) -> None:
        self.refusals.update([attempt.refusal] * bool(attempt.refusal))
        if attempt.crashed or attempt.is_lacking:
            self._deadly.add(guess.place)
        if attempt.is_stuck:
            self._stuck.add(id(guess.case.fields))
        lacks_alone = attempt.reached == self.best.reached and attempt.only_lacks and bool(self.best.refusal)
        if attempt.reached > self.best.reached or lacks_alone:
            self.best = attempt
        self._is_over = attempt.is_complete or attempt.is_cut

    def _typed(self, case: Case) -> Case | None:
        """Return the case with the types that the plugin takes; None if they do not differ, or it takes none."""
        known = [each.types[0] for each in self.best.case.inputs] if self.best.ran else None
        types = self._attempts.types_taken(case, self._types) if known is None else known
        if len(set(types)) <= 1 or len(types) != len(case.inputs):
            return None
        typed = (
            dataclasses.replace(e, types=(t,), scale=guessed_scale((t,)))
            for e, t in zip(case.inputs, types, strict=True)
        )
        return with_harmless_integers(dataclasses.replace(case, inputs=tuple(typed)))


def _without_networks(attempts: Attempts, best: Attempt) -> Attempt:
    """Return an attempt that runs although the plugin refuses networks with its shapes: a rule reports that."""
    attempt = attempts.here(best.case, in_networks=False)
    return attempt if attempt.ran else best


def _told(best: Attempt, refusals: Counter[str]) -> str:
    """Return what was tried and what refused it, the best guess first."""
    shapes = " ".join(f"{each.types[0]}{list(each.profile[1])}" for each in best.case.inputs)
    others = [f"{text} ({count} times)" for text, count in refusals.most_common(3) if text != best.refusal]
    tried = f"{refusals.total()} guesses at number, ranks, shapes and types were refused"
    refused = with_words(f"{best.refusal}{in_brackets(best.place)}", best.heard)
    return "; ".join([f"{tried}; at the best guess, {shapes}, {refused}", *others])


def _without_a_plugin(subject: Subject, refusal: str) -> Case:
    """Return the case of a plugin that is never made."""
    reason = f"no case gives the plugin's fields, and none could be inferred: {refusal}"
    if "FileNotFoundError" in refusal:
        reason += f"; it is looked for from {Path.cwd()}: name a file of the module's folder, or run pytest where it is"
    return dataclasses.replace(subject.case, fields=unknown(reason), inputs=unknown(reason))


def paste(case: Case) -> str:
    """Return the text of a ``<module>_cases.py`` that holds the case; what is unknown is ``...``, to be filled in."""
    lines = [f'"plugin": {case.plugin!r},']
    lines += [f'"version": {case.version!r},'] if case.version != "1" else []
    lines += [f'"namespace": {case.namespace!r},'] if case.namespace else []
    lines += [f'"name": {case.name!r},']
    if isinstance(case.fields, Unknown):
        lines += ['"fields": {"...": ...},  # what create_plugin needs: name and NumPy array']
    elif case.fields:
        fields = ", ".join(f"{name!r}: {_pasted(value)}" for name, value in case.fields.items())
        lines += [f'"fields": {{{fields}}},']
    given: Any = case.inputs
    inputs = [_BLANK_INPUT] * given.count if isinstance(given, Unknown) else [str(plain_input(each)) for each in given]
    lines += ['"inputs": [', *(f"    {entry}," for entry in inputs), "],"]
    names = ", ".join(f"x{index}" for index in range(len(inputs)))
    lines += [f'# "reference": lambda {names}, *, fields: ...  # NumPy; without it results are not judged']
    body = "\n".join(f"        {line}" for line in lines)
    return f"import numpy as np\n\nPLUGIN_CASES = [\n    {{\n{body}\n    }},\n]"


def _pasted(value: Any) -> str:
    return repr(value) if isinstance(value, str) else f"np.array({value.tolist()}, np.{value.dtype})"


def _guesses(subject: Subject, field_choices: list[dict[str, Any]], hints: SourceHints) -> Iterator[_Guess]:
    """Yield cases to try: fields that the creator takes, then few inputs before many."""
    definition = definition_of(subject.creator)
    counts = _with_hints(NUMBERS_OF_INPUTS, hints) if definition is None else (len(definition.known.tensors),)
    ranks = [rank for rank in _with_hints(RANKS, hints) if rank <= len(_LADDERS[0][0])]
    for fields in field_choices:
        tried = dataclasses.replace(subject.case, fields=fields)
        odd, powers_of_two = _LADDERS
        yield from _of_equal_shapes(subject, tried, counts[:1], ranks, odd)
        yield from _of_equal_shapes(subject, tried, counts[:1], ranks, powers_of_two)
        yield from _of_equal_shapes(subject, tried, counts[1:], ranks, odd)
        yield from _of_broadcast_shapes(subject, tried, counts)
        yield from _of_equal_shapes(subject, tried, counts[1:], ranks, powers_of_two)


def _of_equal_shapes(
    subject: Subject, case: Case, counts: Sequence[int], ranks: Sequence[int], ladder: Sequence[tuple[int, ...]]
) -> Iterator[_Guess]:
    for count, rank in itertools.product(counts, ranks):
        for kind in types_at(subject.spec):
            entry = _entry(rank, ladder, kind)
            if subject.interface in IMPLICIT_BATCH:
                entry = _batch_of(entry)
            yield _Guess(dataclasses.replace(case, inputs=(entry,) * count))
        yield from _of_mixed_types(case, (entry,) * count)


def _of_broadcast_shapes(subject: Subject, case: Case, counts: Sequence[int]) -> Iterator[_Guess]:
    for count, rank in itertools.product((2, 3), _BROADCAST_RANKS):
        if count not in counts or subject.interface in IMPLICIT_BATCH:
            continue
        entry = _entry(rank, _UNEQUAL, TYPES[0])
        for other in _smaller(entry):
            inputs = (entry, *(other,) * (count - 1))
            yield _Guess(dataclasses.replace(case, inputs=inputs))
            yield from _of_mixed_types(case, inputs)


def _of_mixed_types(case: Case, inputs: tuple[Input, ...]) -> Iterator[_Guess]:
    if len(inputs) > 1:
        yield _Guess(dataclasses.replace(case, inputs=inputs), is_untyped=True)


def _entry(rank: int, ladder: Sequence[tuple[int, ...]], kind: str) -> Input:
    low, best, high = (corner[-rank:] for corner in ladder)
    dims = tuple(f"d{axis}" for axis in range(rank))
    return Input(dims=dims, min=low, opt=best, max=high, types=(kind,), scale=guessed_scale((kind,)))


def _smaller(entry: Input) -> Iterator[Input]:
    """Yield candidates for an input beside it: a row (as a bias), a number for each row, a stretched input."""
    rank = len(entry.profile[0])
    for begin, end in dict.fromkeys(((rank - 1, rank), (0, rank - 1), (0, 1), (0, 2), (rank - 2, rank))):
        if end - begin == rank:
            continue
        low, best, high = (corner[begin:end] for corner in entry.profile)
        yield dataclasses.replace(entry, dims=(entry.dims or ())[begin:end], min=low, opt=best, max=high)
    ones = (1,) * rank
    yield dataclasses.replace(entry, dims=ones, min=ones, opt=ones, max=ones)


def _have_equal_types(case: Case, other: Case) -> bool:
    return [each.types for each in case.inputs] == [each.types for each in other.inputs]


def _batch_of(entry: Input) -> Input:
    """Return an input whose first dimension alone varies."""
    low, best, high = entry.profile
    item = best[1:]
    return dataclasses.replace(entry, dims=("N", *item), min=(low[0], *item), max=(high[0], *item))


def _with_hints(usual: tuple[int, ...], hints: SourceHints) -> tuple[int, ...]:
    """Return the usual numbers of inputs or dimensions, and those that the source compares lengths with."""
    return tuple(dict.fromkeys((*usual, *hints.lengths)))


def _completed(subject: Subject, attempts: Attempts, best: Attempt) -> Case:
    """Add what else the plugin takes; narrow the profile if only its middle runs."""
    case = best.case
    if not best.ran:
        return case
    if not best.is_complete:
        narrowed = tuple(dataclasses.replace(each, min=each.opt, max=each.opt) for each in case.inputs)
        return with_integers(attempts, dataclasses.replace(case, inputs=narrowed))
    if subject.interface not in IMPLICIT_BATCH and _shows_reads(subject):
        case = with_wider_dims(attempts, with_separate_dims(attempts, case))
    return with_integers(attempts, with_other_types(attempts, case, types_at(subject.spec)))


def _shows_reads(subject: Subject) -> bool:
    """Return whether a kernel that reads beyond an input fails: neither a GPU shows that, nor a compiled library."""
    return subject.language is Language.PYTHON and not subject.device.is_asynchronous


def types_at(spec: str) -> tuple[str, ...]:
    """Return the types to try at an API level."""
    return tuple(name for name in TYPES if not missing_types(spec, [name]))
