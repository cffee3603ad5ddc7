"""Call decorated functions directly, as TensorRT's package does, and record their arguments, answers and exceptions.

The direct call shows the exception that ``register`` or ``autotune`` raises. TensorRT only reports that a callback of
an internal object failed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import traceback
from typing import TYPE_CHECKING, Any

import msgspec

from harness.checks.formats.choices import case_combinations
from harness.checks.observation.telling import shown, text_of
from harness.checks.running.driver import DEFAULT_TACTIC, Driver
from harness.checks.shapes.shapes import network_dims
from harness.contract.finding import NotApplicable, NotRun
from harness.subject.callers.decorated import DecoratedCaller
from harness.subject.calling import stop_for_want, strictly
from harness.subject.creators import definition_of
from reference_runtime.instruments import is_quit
from reference_runtime.plugin.combinations import AutoTuneCombination, ways_of
from reference_runtime.plugin.launching import KernelLaunchParams
from reference_runtime.plugin.symbols import SizeTensorShapeExpr, SymExprs, SymInt32, calculating
from reference_runtime.plugin.templates import fake_inputs, known_inputs
from reference_runtime.plugin.tensors import TensorDesc
from reference_runtime.shapes import expressions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from harness.subject.subject import Subject
    from reference_runtime.plugin.definitions import PluginDef

#: The beginning of the message of an exception that an attempt to change a descriptor or tensor raises.
IMMUTABLE = "Cannot modify immutable"
#: The end of the message of an exception that arithmetic on a size tensor raises.
OF_SIZES = "binary operations on size tensor expressions"


class Description(msgspec.Struct, frozen=True):
    """One call of ``register``.

    Attributes:
        dimensions: The kind of the inputs' dimensions: ``fake``, or ``known`` from the network.
        inputs: The descriptors that it received.
        before: The types and dimensions of these descriptors before the call.
        answer: The object that it returned; None if it raised an exception.
        error: The exception that it raised, or None.
    """

    dimensions: str
    inputs: Sequence[TensorDesc]
    before: list[tuple[Any, ...]]
    answer: Any = None
    error: BaseException | None = None

    @property
    def outputs(self) -> tuple[Any, ...]:
        """Return the answer's elements if it is a tuple, else a tuple with the answer."""
        parts = elements(self.answer, tuple)
        return (self.answer,) if parts is None else tuple(parts)

    @property
    def has_descriptors(self) -> bool:
        """Return whether all returned objects are descriptors."""
        return all(isinstance(each, TensorDesc) for each in self.outputs)

    @property
    def said(self) -> list[tuple[str, int]]:
        """The type of each output, and the index of the input that it aliases, -1 for none."""
        outputs = []
        for desc in self.outputs:
            if isinstance(desc, TensorDesc):
                source = desc.get_aliased()
                place = next((place for place, each in enumerate(self.inputs) if each is source), -1)
                outputs.append((str(desc.dtype), place))
        return outputs

    @property
    def sizes(self) -> list[Any]:
        """The size tensors that are dimensions of outputs."""
        descs = [each for each in self.outputs if isinstance(each, TensorDesc)]
        extents = [extent for desc in descs for extent in desc.shape_expr]
        return [extent.size_tensor for extent in extents if isinstance(extent, SizeTensorShapeExpr)]

    @property
    def changed(self) -> list[int]:
        """The indices of the inputs whose type or dimensions the call changed."""
        pairs = zip(self.before, map(_said, self.inputs), strict=True)
        return [place for place, (old, new) in enumerate(pairs) if not _same(old, new)]

    def __str__(self) -> str:
        return f"called with {self.dimensions} dimensions"


def defined(subject: Subject) -> PluginDef:
    """Return the decorated functions of the subject.

    Raises:
        NotRun: The plugin was not registered by the reference runtime's ``tensorrt.plugin``.
    """
    definition = definition_of(subject.creator)
    if definition is None:
        raise NotRun("the plugin's functions are not known: it was registered by another tensorrt.plugin")
    return definition


def attributes(subject: Subject) -> dict[str, Any]:
    """Return the attributes of the case, by name, with the values that the functions receive."""
    values: dict[str, Any] = subject.create().attrs
    return values


def descriptions(subject: Subject) -> list[Description]:
    """Call ``register`` with fake dimensions, as in a query for types, then with those of the network."""
    values = attributes(subject)
    dims = network_dims(subject)
    types = [subject.data_type(entry.types[0]) for entry in subject.case.data_inputs]
    calls = [_described(subject, "fake", fake_inputs(types, [len(each) for each in dims]), values)]
    builder = expressions.new_builder(sizes=True)
    with calculating(builder):
        inputs = known_inputs(types, [expressions.input_dims(builder, place, each) for place, each in enumerate(dims)])
        calls.append(_described(subject, "known", inputs, values))
    builder.close()
    return calls


def _described(subject: Subject, dimensions: str, inputs: list[TensorDesc], values: dict[str, Any]) -> Description:
    before, register = [_said(desc) for desc in inputs], defined(subject).register_func
    return Description(dimensions, inputs, before, *_called(lambda: register(*inputs, **values)))


def _called(function: Callable[[], Any]) -> tuple[Any, BaseException | None]:
    """Call a user's function; return its result and None, or None and the exception that it raised."""
    try:
        return function(), None
    except BaseException as error:  # a user's function may raise even SystemExit
        if is_quit(error):
            raise
        stop_for_want(error)
        return None, error


def elements(value: Any, *kinds: type) -> list[Any] | None:
    """Return the elements of a value of one of the ``kinds``, without calls of a subclass; None for other values."""
    kind = next((kind for kind in kinds if issubclass(type(value), kind)), None)
    return None if kind is None else [*kind.__iter__(value)]  # type: ignore[attr-defined]


def _said(desc: TensorDesc) -> tuple[Any, ...]:
    return desc.dtype, desc.shape_expr, list(desc.shape_expr)


def _same(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Return whether a type and dimensions are the same; dimensions by identity, since ``==`` makes an expression."""
    return (
        old[0] == new[0]
        and old[1] is new[1]
        and len(old[2]) == len(new[2])
        and all(one is other for one, other in zip(old[2], new[2], strict=True))
    )


class Tuned(msgspec.Struct, frozen=True):
    """One call of ``autotune``: its answer or exception, and the number of the plugin's inputs and outputs."""

    answer: Any
    error: BaseException | None
    tensors: int

    @property
    def combinations(self) -> list[AutoTuneCombination]:
        """The combinations in the answer, without other objects."""
        return [each for each in elements(self.answer, list, tuple) or () if isinstance(each, AutoTuneCombination)]

    @property
    def raised_in(self) -> str:
        """The name of the innermost function that raised the exception; empty without one."""
        frames = traceback.extract_tb(self.error.__traceback__) if self.error is not None else []
        return frames[-1].name if frames else ""


def tuned(subject: Subject) -> Tuned:
    """Call ``autotune`` for the case's network.

    Raises:
        NotApplicable: The plugin has no ``autotune``.
        CallbackFailedError: The query for types or shapes failed.
        NotRun: The shapes of the outputs are not usable.
    """
    definition = defined(subject)
    if definition.autotune_func is None:
        raise NotApplicable("there is no autotune")
    plugin = subject.create()
    with strictly(subject.gate):
        tensors = _caller(subject).tensors(subject.gate, plugin)
    if tensors is None:
        raise NotRun("the shapes of the outputs cannot be used")
    return Tuned(*_called(lambda: plugin.autotuned([bounds.fresh() for bounds in tensors])), len(tensors))


class Kernel(msgspec.Struct, frozen=True):
    """One call of ``aot_impl`` for a combination and a tactic: its answer or exception."""

    combination: str
    tactic: int
    answer: Any
    error: BaseException | None = None

    def __str__(self) -> str:
        return f"aot_impl for {self.combination}, tactic {self.tactic}"

    @property
    def problem(self) -> str:
        """The exception, or the wrong type of the answer or of one of its parts; empty if neither."""
        if self.error is not None:
            return f"{type(self.error).__name__}: {text_of(self.error)}"
        if not isinstance(self.answer, tuple) or len(self.answer) != len(_PARTS):
            return f"a {type(self.answer).__name__}"
        wrong = [place for place, kinds in enumerate(_PARTS) if not isinstance(self.answer[place], kinds)]
        return f"a {type(self.answer[wrong[0]]).__name__} as part {wrong[0]}" if wrong else ""

    @property
    def arguments(self) -> list[Any]:
        """The extra arguments of the kernel; only valid if there is no ``problem``."""
        return list(self.answer[-1])


#: The types of the parts of an answer of ``aot_impl``: kernel name, image, launch parameters, extra arguments.
_PARTS: tuple[tuple[type, ...], ...] = ((str, bytes), (str, bytes), (KernelLaunchParams,), (SymExprs,))


def is_argument(value: Any) -> bool:
    """Return whether a symbolic value can be an argument of a kernel."""
    return isinstance(value, SymInt32)


def kernels(subject: Subject) -> Iterator[Kernel]:
    """Call ``aot_impl`` for some combinations that the plugin offers, with each tactic, and yield each call.

    Raises:
        NotApplicable: The plugin has no ``aot_impl``.
    """
    if defined(subject).aot_impl_func is None:
        raise NotApplicable("there is no aot_impl")
    ahead = dataclasses.replace(subject, compiled=True, memory={})
    for combination in case_combinations(ahead, each=2, most=4):
        driver = Driver(ahead, ahead.create(), combination).configure_for_build()
        for tactic in driver.tactics or [DEFAULT_TACTIC]:
            yield _kernel(driver, tactic)


def _kernel(driver: Driver, tactic: int) -> Kernel:
    inputs, outputs = driver.tensors.build_bounds()
    builder = expressions.new_builder()
    symbols = [expressions.input_dims(builder, place, each.desc.dims) for place, each in enumerate(inputs)]
    driver.plugin.set_tactic(tactic)
    with contextlib.closing(builder), calculating(builder):
        bounds = [each.fresh() for each in (*inputs, *outputs)]
        called = _called(lambda: driver.plugin.asked_for_a_kernel(symbols, bounds))
    return Kernel(str(driver.combination), tactic, *called)


def _caller(subject: Subject) -> DecoratedCaller:
    caller = subject.caller
    if not isinstance(caller, DecoratedCaller):
        raise NotApplicable("it is no decorated plugin")
    return caller


def problem_of(combination: AutoTuneCombination, tensors: int) -> str:
    """Return why a combination that ``autotune`` offers is invalid; empty if it is valid.

    ``tensors`` is the number of the plugin's inputs and outputs.
    """
    try:
        ways = ways_of(combination)
    except Exception as error:  # noqa: BLE001 - as in TensorRT's package, a bad text can raise any exception
        return f"{type(error).__name__}: {error}"
    if any(len(way.types) != tensors for way, _ in ways):
        return f"{len(ways[0][0].types)} types for {tensors} tensors"
    return ""


def tactics_of(combination: AutoTuneCombination) -> list[Any]:
    """Return the tactics of a combination, each once, ordered by their text."""
    every = [tactic for _, tactics in ways_of(combination) for tactic in tactics]
    return sorted({(type(tactic), shown(tactic)): tactic for tactic in every}.values(), key=shown)


@contextlib.contextmanager
def as_imported(definition: PluginDef, seen: dict[str, Any]) -> Iterator[list[str]]:
    """Give the module of ``impl`` the globals in ``seen`` for the block; give the names of those that had changed.

    A process that only loads an engine has these globals: it has imported the module, and has built no network.
    """
    current = definition.impl_func.__globals__
    changed = {name: current[name] for name in current if current[name] is not seen.get(name, current)}
    try:
        for name in changed:
            if name in seen:
                current[name] = seen[name]
            else:
                del current[name]
        yield sorted(changed)
    finally:
        current.update(changed)
