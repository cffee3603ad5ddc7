"""Ask a plugin which types and formats it accepts: single questions, a tree of questions, combinations.

A form is a pair of type and format, for one tensor. A head is a list of forms that the plugin accepts for the first
tensors, one after the other. The module is long because questions, search and combinations use each other's types.
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

#: Limits of the tree of questions, which is huge for a plugin that accepts everything.
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
    """One question: the forms of positions 0 to ``pos``. The descriptions after ``pos`` are undefined.

    ``head`` holds the forms before ``pos``, which the plugin accepts one by one; ``form`` is the form in question.
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
    """Return a form as text: ``FLOAT:LINEAR``."""
    return f"{form[0].name}:{form[1].name}"


class Answering(Protocol):
    """An object that answers format questions: it asks a plugin, or reads a record of earlier answers.

    Attributes:
        subject: The plugin under test.
        num_inputs: The number of data inputs.
        dims: The dimensions of all inputs and outputs.
    """

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
        """Ask about every position of ``head`` in order, as TensorRT does before it asks about the next position."""

    def offered(self, caller: DecoratedCaller, inputs: Sequence[Bounds]) -> list[tuple[Form, ...]]:
        """Return the combinations that a decorated plugin offers for inputs with these descriptions."""


class Asker:
    """Asks one plugin object format questions, with the dimensions of the case.

    A plugin of version 3 is asked for its output types first, as ``add_plugin_v3`` does, because it may store them.
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
        """Return the descriptions that the plugin receives for a question; ``tail`` is at each place after ``pos``."""
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
        """Return the plugin's answer about ``pos`` when it receives these descriptions, or how it failed."""
        gate = self.subject.gate
        with leniently(gate) as failures:
            answer = self._supports(pos, shown, self.num_inputs)
        if failures:
            stop_for_want_of_a_gpu(failures[0])
        return failures[0].what if failures else answer

    def settle(self, head: Sequence[Form]) -> None:
        """Ask about every position of ``head`` in order, as TensorRT does before it asks about the next position."""
        for pos, form in enumerate(head):
            self.outcome(Question(tuple(head[:pos]), form))

    def come_to(self, question: Question) -> None:
        """Prepare for a question: ask about its head, unless the previous question did so. Ask the question next."""
        if question.head not in self._settled:
            self.settle(question.head)
        self._settled = (question.head, (*question.head, question.form))

    def ask_shown(self, pos: int, shown: Sequence[Description], num_inputs: int | None = None) -> bool:
        """Return the plugin's answer about ``pos`` when it receives these descriptions.

        Raises:
            CallbackFailedError: ``supports_format_combination`` failed.
        """
        count = self.num_inputs if num_inputs is None else num_inputs
        with strictly(self.subject.gate):
            return self._supports(pos, shown, count)

    def offered(self, caller: DecoratedCaller, inputs: Sequence[Bounds]) -> list[tuple[Form, ...]]:
        """Return the combinations that a decorated plugin offers for inputs with these descriptions.

        Raises:
            CallbackFailedError: A callback failed.
        """
        with strictly(self.subject.gate):
            return caller.offered(self.subject.gate, self.plugin, inputs)

    def _supports(self, pos: int, shown: Sequence[Description], num_inputs: int) -> bool:
        described = [Bounds(desc, *self._corners(place, desc.dims)) for place, desc in enumerate(shown)]
        return bool(self.subject.caller.supports(self.subject.gate, self.plugin, pos, described, num_inputs))

    def _corners(self, place: int, dims: Shape) -> tuple[Shape, Shape, Shape]:
        """Return the minimum, optimum and maximum of a tensor's dimensions; ``dims`` if no profile has them."""
        inputs = self.subject.case.data_inputs
        if place < self.num_inputs and len(dims) == len(inputs[place].profile[0]):
            return inputs[place].profile
        return (dims,) * 3


def io_dims(subject: Subject, plugin: Any) -> list[Shape]:
    """Return the dimensions of all inputs and outputs at network creation, with -1 for a dynamic dimension."""
    ins = network_dims(subject)
    return [*ins, *map(known_dims, network_answers(subject, plugin))]


def candidate_forms(subject: Subject, rank: int) -> list[Form]:
    """Return every (type, format) that exists in TensorRT for a tensor of this rank."""
    return list(_existing_forms(subject.trt, rank))


@functools.cache
def _existing_forms(trt: ModuleType, rank: int) -> tuple[Form, ...]:
    return tuple(formats.candidates((1,) * rank, trt.DataType.__members__.values()))


def questions(asker: Answering, *, most: int = MAX_QUESTIONS) -> Iterator[Question]:
    """Yield the questions of the tree: every existing form after every accepted head, breadth first.

    A question that fails counts as refused; other rules report the failure.
    """
    count = 0
    for head in heads(asker):
        for form in candidate_forms(asker.subject, len(asker.dims[len(head)])):
            if count == most:
                return
            count += 1
            yield Question(head, form)


def heads(asker: Answering, *, most: int = MAX_HEADS) -> Iterator[tuple[Form, ...]]:
    """Yield the heads of questions: the empty head, then each earlier head with each form accepted after it.

    Before a head is yielded, the asker is asked about its positions in order. Each position has an equal share of
    ``most``, but at least four heads. If a position has more heads, those that begin with types of the case are first.
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
    """Return full combinations that the plugin accepts. The search is depth first, and tries linear formats first.

    Args:
        asker: Answers the questions.
        input_types: The inputs' types, if they are fixed, as in a network.
        output_types: The outputs' types, if they are fixed; None for each output with any type.
        most: The maximum number of combinations.
        enough: Whether to stop the search after a combination.

    Raises:
        NotRun: The search found no combination within its limit of questions.
        CallbackFailedError: A question failed.
    """
    count = asker.num_inputs
    types = [*(input_types or [None] * count), *(output_types or [None] * (len(asker.dims) - count))]
    if isinstance(asker.subject.caller, DecoratedCaller):
        return _with_types(_offered(asker, asker.subject.caller, types[:count]), types, most, enough)
    search = _Search(asker, types, most, enough)
    search.descend(())
    if not search.combinations and search.num_questions >= MAX_SEARCH:
        raise NotRun(f"no combination of types and formats was accepted in {MAX_SEARCH} questions")
    return search.combinations


def _offered(asker: Answering, caller: DecoratedCaller, types: Sequence[Any]) -> list[Combination]:
    """Return the combinations that a decorated plugin offers in one query, those with the most linear formats first."""
    inputs = [
        known if dtype is None else structs.replace(known, desc=structs.replace(known.desc, type=dtype))
        for known, dtype in zip(caller.network, types, strict=True)
    ]
    offered = asker.offered(caller, inputs)
    ranks = [len(dims) for dims in asker.dims]
    existing = [
        forms for forms in offered if all(formats.exists(*form, rank) for form, rank in zip(forms, ranks, strict=True))
    ]
    linear = asker.subject.trt.TensorFormat.LINEAR
    existing.sort(key=lambda forms: sum(layout != linear for _, layout in forms))
    return [Combination(forms, asker.num_inputs) for forms in existing]


def _with_types(
    offered: Sequence[Combination], types: Sequence[Any], most: int, enough: Callable[[Combination], bool]
) -> list[Combination]:
    """Return the combinations with these types, at most ``most``, and up to one that is enough. None is any type."""
    combinations = []
    for combination in offered:
        if all(dtype in (None, form[0]) for dtype, form in zip(types, combination.forms, strict=True)):
            combinations.append(combination)
            if len(combinations) == most or enough(combination):
                break
    return combinations


def _begins_a_case(subject: Subject, head: tuple[Form, ...]) -> bool:
    types = [subject.type_name(dtype) for dtype, _ in head]
    return all(name in entry.types for name, entry in zip(types, subject.case.data_inputs, strict=False))


class _Search:
    """A depth-first search for full combinations; an entry of ``types`` is None if any type will do there."""

    def __init__(
        self, asker: Answering, types: Sequence[Any], most: int, enough: Callable[[Combination], bool]
    ) -> None:
        self.asker = asker
        self.types = types
        self.most = most
        self.enough = enough
        self.num_questions = 0
        self.combinations: list[Combination] = []

    def descend(self, head: tuple[Form, ...]) -> None:
        """Append the full combinations that begin with ``head`` to ``combinations``."""
        if len(head) == len(self.asker.dims):
            self.combinations.append(Combination(head, self.asker.num_inputs))
            if self.enough(self.combinations[-1]):
                self.most = len(self.combinations)
            return
        dtype = self.types[len(head)]
        forms = candidate_forms(self.asker.subject, len(self.asker.dims[len(head)]))
        for form in [form for form in forms if dtype is None or form[0] == dtype]:
            if len(self.combinations) >= self.most or self.num_questions >= MAX_SEARCH:
                return
            self.num_questions += 1
            if self.asker.ask(Question(head, form)):
                self.descend((*head, form))
