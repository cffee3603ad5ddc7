"""IAlgorithmSelector: the application chooses among the implementations of a layer. Deprecated since TensorRT 10.8.

Theory. The builder passes a layer (`IAlgorithmContext`) and the implementations that it could time (`IAlgorithm`). The
selector returns the indices of the implementations that it allows. At the end the builder reports the choice for each
layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from reference_runtime.application.callback import Hook
from reference_runtime.bound.bound_class import attribute, made, pybind11_object, state
from reference_runtime.bound.conversions import Mismatch, instance, int32, sequence
from reference_runtime.bound.overloads import Overload, bound, constructor
from reference_runtime.values import formats
from reference_runtime.values.dims import Dims

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.values.descriptions import Description, Range

_INDICES = "Return value of select_algorithms() could not be interpreted as a List[int]"


class Question(Struct, frozen=True):
    """A layer for which an implementation is chosen: its name, and the bounds of its tensors, inputs first."""

    name: str
    num_inputs: int
    ranges: tuple[Range, ...]


class Choice(Struct, frozen=True):
    """One implementation: the memory layout of its tensors, its tactic, its time, and its workspace in bytes."""

    descriptions: tuple[Description, ...]
    tactic: int
    milliseconds: float
    workspace: int
    implementation: int = 0


def _indices(value: Any) -> list[int]:
    try:
        chosen: list[int] = sequence(int32)(value)
    except Mismatch:
        raise Mismatch(_INDICES) from None
    return chosen


_SELECT = Hook(
    "IAlgorithmSelector",
    "select_algorithms",
    "TensorRT gets -1 for the number of choices, and chooses itself",
    _indices,
    missing=None,
    failed=None,
    pure=False,
)
_REPORT = Hook("IAlgorithmSelector", "report_algorithms", "the choices are not reported", pure=False)


class IAlgorithmIOInfo(pybind11_object, bound=True):
    """The memory layout of one tensor of an implementation."""

    dtype = attribute(lambda self: _description(self).type)
    strides = attribute(lambda self: Dims(formats.strides(_description(self))))
    vectorized_dim = attribute(lambda self: _vectorized(_description(self)))
    components_per_element = attribute(lambda self: _components(_description(self)))


def _description(info: IAlgorithmIOInfo) -> Description:
    desc: Description = state(info)["_description"]
    return desc


def _vectorized(desc: Description) -> int:
    return formats.vectorized_axis(desc.format, len(desc.dims))


def _components(desc: Description) -> int:
    width = formats.components(desc.format)
    return width if width > 1 else -1


class IAlgorithmVariant(pybind11_object, bound=True):
    """The identity of an implementation: its number and its tactic."""

    implementation = attribute(lambda self: state(self)["_choice"].implementation)
    tactic = attribute(lambda self: state(self)["_choice"].tactic)


class IAlgorithmContext(pybind11_object, bound=True):
    """The layer for which an implementation is chosen."""

    name = attribute(lambda self: _question(self).name)
    num_inputs = attribute(lambda self: _question(self).num_inputs)
    num_outputs = attribute(lambda self: len(_question(self).ranges) - _question(self).num_inputs)

    @bound(Overload("(self: IAlgorithmContext, index: typing.SupportsInt) -> list[Dims]", int32))
    def get_shape(self, index: int) -> list[Dims]:
        """Return the minimum, optimum and maximum shape of a tensor, inputs first.

        Empty if the index is out of range.
        """
        ranges = _question(self).ranges
        return [Dims(shape) for shape in ranges[index]] if 0 <= index < len(ranges) else []


def _question(context: IAlgorithmContext) -> Question:
    question: Question = state(context)["_question"]
    return question


class IAlgorithm(pybind11_object, bound=True):
    """One implementation of a layer."""

    algorithm_variant = attribute(lambda self: made(IAlgorithmVariant, _choice=_choice(self)))
    timing_msec = attribute(lambda self: _choice(self).milliseconds)
    workspace_size = attribute(lambda self: _choice(self).workspace)

    @bound(Overload("(self: IAlgorithm, index: typing.SupportsInt) -> IAlgorithmIOInfo", int32))
    def get_algorithm_io_info(self, index: int) -> IAlgorithmIOInfo | None:
        """Return the layout of a tensor, inputs first; None if the index is out of range."""
        descriptions = _choice(self).descriptions
        if not 0 <= index < len(descriptions):
            return None
        return made(IAlgorithmIOInfo, _description=descriptions[index])


def _choice(algorithm: IAlgorithm) -> Choice:
    choice: Choice = state(algorithm)["_choice"]
    return choice


class IAlgorithmSelector(pybind11_object, bound=True):
    """The base class of an application's algorithm selector."""

    @constructor(Overload("(self: IAlgorithmSelector) -> None"))
    def __init__(self) -> None:
        """Create the C++ object, which has no attributes."""

    @bound(
        Overload(
            "(self: IAlgorithmSelector, context: IAlgorithmContext, choices: collections.abc.Sequence[IAlgorithm])"
            " -> list[int]",
            instance(IAlgorithmContext),
            sequence(instance(IAlgorithm)),
        )
    )
    def select_algorithms(self, _context: IAlgorithmContext, _choices: list[IAlgorithm]) -> list[int]:
        """Return no choice, as the genuine method does; applications override it."""
        return []

    @bound(
        Overload(
            "(self: IAlgorithmSelector, contexts: collections.abc.Sequence[IAlgorithmContext],"
            " choices: collections.abc.Sequence[IAlgorithm]) -> None",
            sequence(instance(IAlgorithmContext)),
            sequence(instance(IAlgorithm)),
        )
    )
    def report_algorithms(self, _contexts: list[IAlgorithmContext], _choices: list[IAlgorithm]) -> None:
        """Do nothing, as the genuine method does; applications override it."""


def select(gate: Gate, selector: object, question: Question, choices: Sequence[Choice]) -> list[int] | None:
    """Ask a selector for the indices of the choices that it allows. None means that all are allowed."""
    shown = [made(IAlgorithm, _choice=choice) for choice in choices]
    chosen: list[int] | None = _SELECT.through(gate, selector, made(IAlgorithmContext, _question=question), shown)
    return chosen


def report(gate: Gate, selector: object, chosen: Sequence[tuple[Question, Choice]]) -> None:
    """Report the choice for each layer to a selector."""
    contexts = [made(IAlgorithmContext, _question=question) for question, _ in chosen]
    _REPORT.through(gate, selector, contexts, [made(IAlgorithm, _choice=choice) for _, choice in chosen])
