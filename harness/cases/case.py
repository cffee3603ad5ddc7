"""Hold a case of a plugin: fields, inputs with their profile, the reference and its tolerance."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from harness.cases import validation
from harness.cases.functions import call_with_fields
from harness.cases.input import TYPE_NAMES, Input, Shape
from harness.cases.unknown import Unknown
from harness.cases.validation import CaseError
from harness.contract.api_level import SPECS, missing_types
from harness.contract.expected_failures import ExpectationError, ExpectedFailure
from harness.contract.suggestions import hint, suggestion
from harness.contract.wording import encoded, in_brackets

__all__ = ["TYPE_NAMES", "Case", "CaseError", "Input", "Shape", "Tolerance", "parse_case", "plugin_key"]

CASE_NAME = re.compile(r"[A-Za-z0-9_.-]+")


#: Names of the types that ``valid`` may return. NumPy's bool is named ``bool_`` before version 2, and ``bool`` since.
_TRUTHS = {"bool", "bool_", "int"}


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """The permitted difference between an output and its reference: ``|got - want| <= atol + rtol * |want|``."""

    rtol: float = 0.0
    atol: float = 0.0

    def __post_init__(self) -> None:
        for key in ("rtol", "atol"):
            value = validation.at_least_zero(key, getattr(self, key))
            # a plain float: an object of a user's class could have another value at each use
            object.__setattr__(self, key, validation.at_least_zero(key, float(value)))


@dataclasses.dataclass(frozen=True)
class Case:
    """One way to use a plugin; ``docs/cases.md`` explains every key with examples.

    Attributes:
        plugin: The ``name`` of the plugin's creator.
        version: The creator's ``plugin_version``.
        namespace: The creator's ``plugin_namespace``.
        name: The case's name in test ids: letters, digits, ``_``, ``.`` and ``-``.
        fields: Field values for ``create_plugin``: an array, bytes or str for CHAR, or
            ``(array, PluginFieldType)``.
        inputs: The input tensors, shape inputs last. If the harness cannot infer ``inputs`` or ``fields``, they are
            :class:`Unknown`.
        valid: ``callable(*shapes, fields=...) -> bool``: whether the plugin supports a combination of shapes. For a
            shape input, ``valid`` receives its values.
        reference: ``callable(*arrays, fields=...)``: returns the expected output, or a tuple of several outputs.
            ``reference`` and ``valid`` are called without ``fields`` if they do not accept that argument.
        tolerance: A :class:`Tolerance` for all types, or a mapping with one for each type name; the default depends
            on the type.
        stand_ins: NumPy functions by kernel name, for kernels that the host cannot run.
        spec: The API level to certify against; None for that of the run.
        expected_failures: Known failures by rule id.
        inferred: Whether the harness made the case, because the user wrote none.
        place: The file and line of the case, such as ``bar_cases.py:7``; empty if unknown. The harness sets it.
    """

    plugin: str
    version: str = "1"
    namespace: str = ""
    name: str = "default"
    fields: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    valid: Callable[..., bool] | None = None
    reference: Callable[..., Any] | None = None
    tolerance: Tolerance | Mapping[str, Tolerance] | None = None
    stand_ins: Mapping[str, Callable[..., Any]] = dataclasses.field(default_factory=dict)
    spec: str | None = None
    expected_failures: Mapping[str, ExpectedFailure] = dataclasses.field(default_factory=dict)
    inferred: bool = False
    place: str = dataclasses.field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        for key in ("plugin", "version", "namespace", "name"):
            validation.text(key, getattr(self, key))
        if not CASE_NAME.fullmatch(self.name):
            raise CaseError(f"name {self.name!r} may hold letters, digits, '_', '.' and '-' only")
        for key in ("valid", "reference"):
            validation.function(key, getattr(self, key))
        for name, value in validation.mapping("stand_ins", self.stand_ins, "functions by kernel name").items():
            validation.function(f"stand_ins[{name!r}]", value)
        object.__setattr__(self, "tolerance", _plain_tolerance(self.tolerance))
        expected = validation.mapping("expected_failures", self.expected_failures, "entries by rule id")
        failures = {key: _as_expected(key, value) for key, value in expected.items()}
        object.__setattr__(self, "expected_failures", failures)
        if not isinstance(self.fields, Unknown):
            for name, value in validation.mapping("fields", self.fields, "values by name").items():
                validation.field(f"fields[{name!r}]", value)
        if not self.unknown:
            self._check_inputs()

    def _check_inputs(self) -> None:
        inputs = validation.entries("inputs", self.inputs, "inputs, one a tensor")
        object.__setattr__(self, "inputs", tuple(_as_input(place, entry) for place, entry in enumerate(inputs)))
        if self.inputs != (*self.data_inputs, *self.shape_inputs):
            place = next(place for place, entry in enumerate(self.inputs) if entry.shape_input)
            raise CaseError(f"inputs[{place}] is a shape input before a data input; shape inputs come last")
        for corner in ("min", "opt", "max"):
            unequal = self._unequal_name([getattr(entry, corner) for entry in self.inputs])
            if unequal is not None:
                raise CaseError(f"the dimensions named {unequal!r} differ in {corner}")
        self._check_spec()

    @property
    def key(self) -> str:
        """The plugin that the case is about: ``namespace/name/version``."""
        return plugin_key(self.namespace, self.plugin, self.version)

    @property
    def title(self) -> str:
        """The case, its plugin and its place, as messages name them."""
        return f"case {self.name!r} of {self.key}{in_brackets(self.place)}"

    @property
    def unknown(self) -> str:
        """Return why the fields or inputs of the case are unknown; empty for a complete case."""
        missing = next((each for each in (self.fields, self.inputs) if isinstance(each, Unknown)), None)
        return "" if missing is None else missing.reason

    @property
    def data_inputs(self) -> tuple[Input, ...]:
        """The inputs whose data the plugin receives: all except shape inputs."""
        return tuple(entry for entry in self.inputs if not entry.shape_input)

    @property
    def shape_inputs(self) -> tuple[Input, ...]:
        """The inputs whose values the plugin receives only as expressions, in ``get_output_shapes``."""
        return tuple(entry for entry in self.inputs if entry.shape_input)

    @property
    def type_choices(self) -> Iterator[tuple[str, ...]]:
        """Every combination of the data inputs' types: a tuple of type names, one for each data input."""
        return itertools.product(*(entry.types for entry in self.data_inputs))

    def allows(self, shapes: Sequence[Shape]) -> bool:
        """Return whether the shapes are in the profile, dimensions of one name are equal, and ``valid`` accepts them.

        ``shapes`` has an entry for each input. The entry of a shape input is the tuple of its values.

        Raises:
            CaseError: ``valid`` returned neither a bool nor an int.
        """
        inside = all(
            len(shape) == len(entry.profile[0])
            and all(low <= n <= high for low, n, high in zip(entry.profile[0], shape, entry.profile[2], strict=True))
            for entry, shape in zip(self.inputs, shapes, strict=True)
        )
        if not inside or self._unequal_name(shapes) is not None:
            return False
        if self.valid is None:
            return True
        answer = call_with_fields(self.valid, *shapes, fields=self.fields)
        if type(answer).__name__ not in _TRUTHS:
            raise CaseError(f"valid returned {answer!r}: return True or False")
        return bool(answer)

    def at(self, spec: str) -> Case:
        """Return the case with an API level: its own ``spec``, or the argument if it has none.

        Raises:
            CaseError: That level lacks a type of the case's inputs.
        """
        return self if self.spec is not None else dataclasses.replace(self, spec=spec)

    def _check_spec(self) -> None:
        if self.spec is None:
            return
        if self.spec not in SPECS:
            near = suggestion(str(self.spec), SPECS)
            raise CaseError(f"spec {self.spec!r} is no API level; choose from {', '.join(SPECS)}{near}")
        missing = missing_types(self.spec, itertools.chain.from_iterable(entry.types for entry in self.inputs))
        if missing:
            raise CaseError(f"case {self.name!r}: types holds {missing[0]!r}, which TensorRT {self.spec} does not have")

    def _unequal_name(self, shapes: Sequence[Shape]) -> str | None:
        extents: dict[str, int] = {}
        for entry, shape in zip(self.inputs, shapes, strict=True):
            for name, extent in zip(entry.names, shape, strict=False):
                if name is not None and extents.setdefault(name, extent) != extent:
                    return name
        return None


def plugin_key(namespace: str, name: str, version: str) -> str:
    """Return ``<namespace>/<Name>/<version>``, with all characters except ``A-Za-z0-9_.-`` percent-encoded."""
    return "/".join(encoded(part) for part in (namespace, name, version))


def parse_case(entry: Any, *, origin: str, place: str = "") -> Case:
    """Return the case that an entry of ``PLUGIN_CASES`` describes: a :class:`Case` or a dict with its keys.

    Raises:
        CaseError: The entry is no Case and no dict, or a key or value is wrong. The message begins with ``origin``.
    """
    if isinstance(entry, Case):
        return dataclasses.replace(entry, place=place) if place else entry
    if not isinstance(entry, Mapping):
        raise CaseError(f"{origin}: a case is a Case or a dict, not {type(entry).__name__}")
    try:
        _check_keys(entry, Case)
        return Case(**entry, place=place)
    except (CaseError, TypeError, ValueError) as error:
        title = entry.get("name") or entry.get("plugin") or "a case"
        raise CaseError(f"{origin}: case {title!r}: {error}") from error


def _as_input(place: int, entry: Any) -> Input:
    if isinstance(entry, Input):
        return entry
    if not isinstance(entry, Mapping):
        raise CaseError(f"inputs[{place}]: an input is an Input or a dict, not {type(entry).__name__}")
    try:
        _check_keys(entry, Input)
        return Input(**entry)
    except CaseError as error:
        raise CaseError(f"inputs[{place}]: {error}") from error


def _plain_tolerance(tolerance: Any) -> Tolerance | dict[str, Tolerance] | None:
    """Return copies of tolerances. A user can change even a frozen object, and a subclass can behave differently."""
    if tolerance is None:
        return None
    if isinstance(tolerance, Tolerance):
        return Tolerance(tolerance.rtol, tolerance.atol)
    form = "harness.Tolerance(rtol=..., atol=...), or one by type: {'float16': harness.Tolerance(...)}"
    if not isinstance(tolerance, Mapping):
        raise validation.refused("tolerance", tolerance, form)
    for name, each in tolerance.items():
        if name not in TYPE_NAMES or not isinstance(each, Tolerance):
            raise validation.refused(f"tolerance[{name!r}]", each, form)
    return {str(name): Tolerance(each.rtol, each.atol) for name, each in tolerance.items()}


def _as_expected(rule_id: str, entry: Any) -> ExpectedFailure:
    try:
        return ExpectedFailure.from_entry(entry, where=f"expected_failures[{rule_id!r}]")
    except ExpectationError as error:
        raise CaseError(str(error)) from error


def _check_keys(entry: Mapping[str, Any], kind: type) -> None:
    if kind is Case and "plugin" not in entry:
        raise CaseError("plugin is missing: write the name that its creator has")
    known = [field.name for field in dataclasses.fields(kind) if field.name not in {"inferred", "place"}]
    for key in entry:
        if key not in known:
            raise CaseError(f"unknown key {key!r} of {kind.__name__}{hint(str(key), known)}")
