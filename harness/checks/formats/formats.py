"""Ask a plugin for the types and formats it takes: single questions, their tree, and its leaves.

Long because question, search and what is found are one protocol, and their types refer to each other.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import structs

from harness.checks.shapes.shapes import known_dims, network_answers, network_dims
from harness.contract.finding import NotRun
from harness.contract.rule import FIELD_SERIALIZED
from harness.subject.callers.decorated import DecoratedCaller
from harness.subject.calling import leniently, stop_for_want_of_a_gpu, strictly
from reference_runtime.calling.trampolines import v2
from reference_runtime.values import formats
from reference_runtime.values.descriptions import NO_SCALE, Bounds, Description

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import ModuleType

    from harness.cases.case import Shape
    from harness.subject.subject import Subject

Form = tuple[Any, Any]  # (DataType, TensorFormat) of one tensor

#: Bounds of the search tree: a plugin that accepts everything would make it astronomical.
MAX_QUESTIONS = 3000
MAX_HEADS = 120
MAX_COMBINATIONS = 128
#: Questions after which a search for full combinations gives up.
MAX_SEARCH = 5000


class Combination(msgspec.Struct, frozen=True):
    """Types and formats of all inputs, then of all outputs."""

    forms: tuple[Form, ...]
    num_inputs: int

    @property
    def inputs(self) -> tuple[Form, ...]:
        """Types and formats of the inputs."""
        return self.forms[: self.num_inputs]

    @property
    def outputs(self) -> tuple[Form, ...]:
        """Types and formats of the outputs."""
        return self.forms[self.num_inputs :]

    def __str__(self) -> str:
        ins, outs = (" ".join(form_name(form) for form in forms) for forms in (self.inputs, self.outputs))
        return f"{ins or 'no input'} -> {outs or 'no output'}"


class Question(msgspec.Struct, frozen=True):
    """One question: the forms from 0 up to and including ``pos``; what follows is undefined.

    ``head`` holds the forms before ``pos``, which the plugin accepted one by one; ``form`` is the form in question.
    """

    head: tuple[Form, ...]
    form: Form

    @property
    def pos(self) -> int:
        """The position that is asked about."""
        return len(self.head)

    def __str__(self) -> str:
        known = "".join(f"{form_name(form)}, " for form in self.head)
        return f"pos={self.pos} with in_out=[{known}{form_name(self.form)}, ...]"


def form_name(form: Form) -> str:
    """Return ``FLOAT:LINEAR``."""
    return f"{form[0].name}:{form[1].name}"


class Answering(Protocol):
    """Answer format questions: an object of the plugin, or a record of earlier answers."""

    subject: Subject
    num_inputs: int
    dims: list[Shape]

    def ask(self, question: Question) -> bool:
        """Return the answer.

        Raises:
            CallbackFailedError: ``supports_format_combination`` failed.
        """

    def outcome(self, question: Question) -> bool | str:
        """Return the answer, or how the method failed: ``raised ValueError: no``."""

    def settle(self, head: Sequence[Form]) -> None:
        """Let every position of ``head`` be asked about in turn, as TensorRT has done when it asks about the next."""

    def offered(self, caller: DecoratedCaller, inputs: Sequence[Bounds]) -> list[tuple[Form, ...]]:
        """Return the combinations that a decorated plugin offers for inputs."""


class Asker:
    """Asks one plugin object format questions, with the dimensions of the case.

    A plugin of version 3 is asked for its output types first, as ``add_plugin_v3`` does: it may keep them.
    """

    def __init__(self, subject: Subject, plugin: Any, *, dims: Sequence[Shape] | None = None) -> None:
        self.subject = subject
        self.plugin = plugin
        self.num_inputs = len(subject.case.data_inputs)
        if subject.interface in FIELD_SERIALIZED:
            with leniently(subject.gate):
                types = [subject.data_type(entry.types[0]) for entry in subject.case.data_inputs]
                subject.caller.output_types(subject.gate, plugin, types)
        self.dims = list(dims) if dims is not None else io_dims(subject, plugin)
        self._settled: tuple[tuple[Form, ...], ...] = ()

    def descriptions(
        self, question: Question, *, tail: Description = v2.INVALID, scale: float = NO_SCALE
    ) -> list[Description]:
        """Return what the plugin is shown for a question; ``tail`` is in every place after ``pos``."""
        known = zip(self.dims, (*question.head, question.form), strict=False)
        shown = [Description(tuple(dims), dtype, layout, scale) for dims, (dtype, layout) in known]
        return shown + [tail] * (len(self.dims) - len(shown))

    def ask(self, question: Question, *, tail: Description = v2.INVALID, scale: float = NO_SCALE) -> bool:
        """Return the plugin's answer.

        Raises:
            CallbackFailedError: ``supports_format_combination`` failed.
        """
        return self.ask_shown(question.pos, self.descriptions(question, tail=tail, scale=scale))

    def outcome(self, question: Question, *, tail: Description = v2.INVALID) -> bool | str:
        """Return the plugin's answer, or how it failed: ``raised ValueError: no``."""
        return self.outcome_shown(question.pos, self.descriptions(question, tail=tail))

    def outcome_shown(self, pos: int, shown: Sequence[Description]) -> bool | str:
        """Return the plugin's answer about ``pos`` when it is shown these descriptions, or how it failed."""
        gate = self.subject.gate
        with leniently(gate) as failures:
            answer = self._supports(pos, shown, self.num_inputs)
        if failures:
            stop_for_want_of_a_gpu(failures[0])
        return failures[0].what if failures else answer

    def settle(self, head: Sequence[Form]) -> None:
        """Ask about every position of ``head`` in turn, as TensorRT has done when it asks about the next."""
        for pos, form in enumerate(head):
            self.outcome(Question(tuple(head[:pos]), form))

    def come_to(self, question: Question) -> None:
        """Settle the head of a question that is asked next, unless the question before it has done so."""
        if question.head not in self._settled:
            self.settle(question.head)
        self._settled = (question.head, (*question.head, question.form))

    def ask_shown(self, pos: int, shown: Sequence[Description], num_inputs: int | None = None) -> bool:
        """Return the plugin's answer about ``pos`` when it is shown these descriptions."""
        count = self.num_inputs if num_inputs is None else num_inputs
        with strictly(self.subject.gate):
            return self._supports(pos, shown, count)

    def offered(self, caller: DecoratedCaller, inputs: Sequence[Bounds]) -> list[tuple[Form, ...]]:
        """Return what a decorated plugin offers for inputs.

        Raises:
            CallbackFailedError: A callback failed.
        """
        with strictly(self.subject.gate):
            return caller.offered(self.subject.gate, self.plugin, inputs)

    def _supports(self, pos: int, shown: Sequence[Description], num_inputs: int) -> bool:
        described = [Bounds(desc, *self._corners(place, desc.dims)) for place, desc in enumerate(shown)]
        return bool(self.subject.caller.supports(self.subject.gate, self.plugin, pos, described, num_inputs))

    def _corners(self, place: int, dims: Shape) -> tuple[Shape, Shape, Shape]:
        """Return the least, best and greatest dimensions of a tensor, where they are known."""
        inputs = self.subject.case.data_inputs
        if place < self.num_inputs and len(dims) == len(inputs[place].profile[0]):
            return inputs[place].profile
        return (dims,) * 3


def io_dims(subject: Subject, plugin: Any) -> list[Shape]:
    """Return the dimensions of all inputs and outputs at network creation, -1 where they are not known."""
    ins = network_dims(subject)
    return [*ins, *map(known_dims, network_answers(subject, plugin))]


def candidate_forms(subject: Subject, rank: int) -> list[Form]:
    """Return every (type, format) that exists in TensorRT for a tensor of this rank."""
    return list(_existing_forms(subject.trt, rank))


@functools.cache
def _existing_forms(trt: ModuleType, rank: int) -> tuple[Form, ...]:
    return tuple(formats.candidates((1,) * rank, trt.DataType.__members__.values()))


def questions(asker: Answering, *, most: int = MAX_QUESTIONS) -> Iterator[Question]:
    """Yield the questions of the search tree: every existing form after every accepted head, breadth first.

    A question that fails counts as one that is refused: other rules report it.
    """
    asked = 0
    for head in heads(asker):
        for form in candidate_forms(asker.subject, len(asker.dims[len(head)])):
            if asked == most:
                return
            asked += 1
            yield Question(head, form)


def heads(asker: Answering, *, most: int = MAX_HEADS) -> Iterator[tuple[Form, ...]]:
    """Yield the forms that may precede a question: the empty head, then every accepted form after an earlier head.

    Each has just been settled. Every position has its share of ``most``. If a position has more, heads that begin with
    the case's types go first, then the first types and formats.
    """
    share = max(most // max(len(asker.dims), 1), 4)
    level: list[tuple[Form, ...]] = [()]
    for dims in asker.dims:
        forms = candidate_forms(asker.subject, len(dims))
        following: list[tuple[Form, ...]] = []
        for head in sorted(level, key=lambda each: not _begins_a_case(asker.subject, each))[:share]:
            asker.settle(head)
            following += [(*head, form) for form in forms if asker.outcome(Question(head, form)) is True]
            yield head
        level = following


def illegal_forms(subject: Subject, rank: int) -> list[Form]:
    """Return the (type, format) pairs that do not exist in TensorRT for a tensor of this rank."""
    trt = subject.trt
    pairs = itertools.product(trt.DataType.__members__.values(), trt.TensorFormat.__members__.values())
    return [(dtype, layout) for dtype, layout in pairs if not formats.exists(dtype, layout, rank)]


def accepted_combinations(
    asker: Answering,
    *,
    input_types: Sequence[Any] | None = None,
    output_types: Sequence[Any] | None = None,
    most: int = MAX_COMBINATIONS,
    enough: Callable[[Combination], bool] = lambda _found: False,
) -> list[Combination]:
    """Return the full combinations that the plugin accepts, depth first, linear ones first.

    Args:
        asker: Whom to ask.
        input_types: The inputs' types where they are fixed, as those of a network are.
        output_types: The outputs' types where they are fixed; None in place of one that is not.
        most: How many to return at the most.
        enough: Whether to stop after a combination.

    Raises:
        NotRun: After many questions there is none, and no end.
    """
    count = asker.num_inputs
    types = [*(input_types or [None] * count), *(output_types or [None] * (len(asker.dims) - count))]
    if isinstance(asker.subject.caller, DecoratedCaller):
        return _found_in(_offered(asker, asker.subject.caller, types[:count]), types, most, enough)
    search = _Search(asker, types, most, enough)
    search.descend(())
    if not search.found and search.asked >= MAX_SEARCH:
        raise NotRun(f"no combination of types and formats was accepted in {MAX_SEARCH} questions")
    return search.found


def _offered(asker: Answering, caller: DecoratedCaller, types: Sequence[Any]) -> list[Combination]:
    """Return what a decorated plugin offers, which is asked once and for all tensors, linear ones first."""
    inputs = [
        known if dtype is None else structs.replace(known, desc=structs.replace(known.desc, type=dtype))
        for known, dtype in zip(caller.network, types, strict=True)
    ]
    ways = asker.offered(caller, inputs)
    ranks = [len(dims) for dims in asker.dims]
    existing = [way for way in ways if all(formats.exists(*form, rank) for form, rank in zip(way, ranks, strict=True))]
    linear = asker.subject.trt.TensorFormat.LINEAR
    existing.sort(key=lambda way: sum(layout != linear for _, layout in way))
    return [Combination(way, asker.num_inputs) for way in existing]


def _found_in(
    offered: Sequence[Combination], types: Sequence[Any], most: int, enough: Callable[[Combination], bool]
) -> list[Combination]:
    """Return the combinations with these types, None standing for any, up to as many as are wanted."""
    found = []
    for combination in offered:
        if all(wanted in (None, form[0]) for wanted, form in zip(types, combination.forms, strict=True)):
            found.append(combination)
            if len(found) == most or enough(combination):
                break
    return found


def _begins_a_case(subject: Subject, head: tuple[Form, ...]) -> bool:
    types = [subject.type_name(dtype) for dtype, _ in head]
    return all(name in entry.types for name, entry in zip(types, subject.case.data_inputs, strict=False))


class _Search:
    """A search for full combinations; ``types`` holds None where a position's type is free."""

    def __init__(
        self, asker: Answering, types: Sequence[Any], most: int, enough: Callable[[Combination], bool]
    ) -> None:
        self.asker = asker
        self.types = types
        self.most = most
        self.enough = enough
        self.asked = 0
        self.found: list[Combination] = []

    def descend(self, head: tuple[Form, ...]) -> None:
        """Find the combinations that begin with ``head``, which is accepted."""
        if len(head) == len(self.asker.dims):
            self.found.append(Combination(head, self.asker.num_inputs))
            if self.enough(self.found[-1]):
                self.most = len(self.found)
            return
        wanted = self.types[len(head)]
        forms = candidate_forms(self.asker.subject, len(self.asker.dims[len(head)]))
        for form in [form for form in forms if wanted is None or form[0] == wanted]:
            if len(self.found) >= self.most or self.asked >= MAX_SEARCH:
                return
            self.asked += 1
            if self.asker.ask(Question(head, form)):
                self.descend((*head, form))
