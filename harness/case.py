"""What a user says of a plugin under test: fields, inputs with their profile, the oracle and its tolerance."""

from __future__ import annotations

import dataclasses
import difflib
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from harness.expectation import ExpectationError, ExpectedFailure
from harness.spec import SPECS, missing_types

CASE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_STRANGE = re.compile(r"[^A-Za-z0-9_.-]")
MAX_DIMS = 8
#: Type names that a case may use, spelled as NumPy (and ml_dtypes) spell them.
TYPE_NAMES = ("float32", "float16", "bfloat16", "int8", "int32", "int64", "uint8", "bool")

Shape = tuple[int, ...]


class CaseError(ValueError):
    """A case is malformed; the message names the case, the key, the value and what was expected."""


@dataclasses.dataclass(frozen=True)
class Tolerance:
    """How far an output may be from the oracle: ``|got - want| <= atol + rtol * |want|``."""

    rtol: float = 0.0
    atol: float = 0.0


@dataclasses.dataclass(frozen=True)
class Input:
    """One input tensor: its dimensions, its optimization profile, its types and the values to draw.

    Attributes:
        dims: An integer is a fixed extent, a string names a dynamic one; equal names are equal extents.
            Without ``dims``, the extents where ``min`` and ``max`` differ are dynamic.
        min: The profile's smallest shape; without ``min``, ``opt`` and ``max`` the input is static.
        opt: The profile's optimal shape; the default is ``max``.
        max: The profile's largest shape.
        types: Types to try, as NumPy names; those of several inputs multiply.
        values: ``(low, high)`` of the values to draw, or ``callable(rng, shape, dtype)``.
        shape_input: Whether the tensor is a shape input (``IPluginV3`` only).
        scale: The INT8 scale of the tensor: real value = scale x stored value.
    """

    dims: tuple[int | str, ...] | None = None
    min: Shape | None = None
    opt: Shape | None = None
    max: Shape | None = None
    types: tuple[str, ...] = ("float32",)
    values: tuple[float, float] | Callable[..., Any] | None = None
    shape_input: bool = False
    scale: float | None = None

    def __post_init__(self) -> None:
        for name in ("dims", "min", "opt", "max", "types"):
            value = getattr(self, name)
            if isinstance(value, str):
                value = (value,)
            object.__setattr__(self, name, None if value is None else tuple(value))
        self._complete_profile()
        self._check_ranks()
        for index, bounds in enumerate(zip(*self.profile, strict=True)):
            self._check_extent(index, bounds)
        unknown = [name for name in self.types if name not in TYPE_NAMES]
        if unknown:
            raise CaseError(f"types holds {unknown[0]!r}; known are {', '.join(TYPE_NAMES)}")

    @property
    def profile(self) -> tuple[Shape, Shape, Shape]:
        """Shapes ``(min, opt, max)``."""
        if self.min is None or self.opt is None or self.max is None:  # pragma: no cover - __post_init__ sets all
            raise CaseError("an input has no profile")
        return self.min, self.opt, self.max

    @property
    def network_dims(self) -> Shape:
        """The dimensions at network creation, -1 for a dynamic one."""
        low, _, high = self.profile
        if self.dims is not None:
            return tuple(-1 if isinstance(extent, str) else extent for extent in self.dims)
        return tuple(small if small == large else -1 for small, large in zip(low, high, strict=True))

    def _complete_profile(self) -> None:
        if self.max is None and self.min is None and self.opt is None:
            if self.dims is None or any(isinstance(extent, str) for extent in self.dims):
                raise CaseError(f"dims={self.dims} needs min, opt and max for its dynamic extents")
            for name in ("min", "opt", "max"):
                object.__setattr__(self, name, self.dims)
        if self.min is None or self.max is None:
            raise CaseError("a profile needs min and max, or neither and fixed dims")
        if self.opt is None:
            object.__setattr__(self, "opt", self.max)

    def _check_ranks(self) -> None:
        ranks = {len(shape) for shape in (*self.profile, self.dims) if shape is not None}
        if len(ranks) != 1:
            raise CaseError(f"dims, min, opt and max have different ranks: {sorted(ranks)}")
        if max(ranks) > MAX_DIMS:
            raise CaseError(f"rank {max(ranks)} is above TensorRT's limit of {MAX_DIMS}")

    def _check_extent(self, index: int, bounds: tuple[int, ...]) -> None:
        low, best, high = bounds
        if not 0 <= low <= best <= high:
            raise CaseError(f"extent {index} needs 0 <= min <= opt <= max, has {low}, {best}, {high}")
        fixed = self.dims[index] if self.dims is not None else None
        if isinstance(fixed, int) and not low == high == fixed:
            raise CaseError(f"extent {index} is fixed at {fixed}, but the profile allows {low} to {high}")


@dataclasses.dataclass(frozen=True)
class Case:
    """One way to use a plugin; ``docs/cases.md`` explains every key with examples.

    Attributes:
        plugin: The plugin's name, as its creator says it.
        version: Its version.
        namespace: Its namespace.
        name: The case's name in test ids: letters, digits, ``_``, ``.`` and ``-``.
        fields: Field values for ``create_plugin``: an array, bytes or str for CHAR, or
            ``(array, PluginFieldType)``.
        inputs: The input tensors.
        valid: ``callable(*shapes, fields=...) -> bool``: which combinations of shapes are legal.
        reference: ``callable(*arrays, fields=...)``: the oracle; an array, or a tuple for several outputs.
        tolerance: One :class:`Tolerance`, or one a type name; the default depends on the type.
        stand_ins: NumPy functions by kernel name, for kernels that the host cannot run.
        spec: The API level to certify against; None is that of the run.
        expected_failures: Known failures by rule id.
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

    def __post_init__(self) -> None:
        if not CASE_NAME.fullmatch(self.name):
            raise CaseError(f"name {self.name!r} may hold letters, digits, '_', '.' and '-' only")
        object.__setattr__(self, "inputs", tuple(_as_input(entry) for entry in self.inputs))
        failures = {key: _as_expected(key, value) for key, value in self.expected_failures.items()}
        object.__setattr__(self, "expected_failures", failures)
        for corner in ("min", "opt", "max"):
            self._check_equal_names(corner)
        self._check_spec()

    @property
    def key(self) -> str:
        """The plugin that the case is about: ``namespace/name/version``."""
        return plugin_key(self.namespace, self.plugin, self.version)

    @property
    def type_choices(self) -> Iterator[tuple[str, ...]]:
        """Every combination of the inputs' types, in the order given."""
        return itertools.product(*(entry.types for entry in self.inputs))

    def allows(self, shapes: Sequence[Shape]) -> bool:
        """Whether the shapes, one an input, lie in the profile, agree in equal names and are ``valid``."""
        inside = all(
            len(shape) == len(entry.profile[0])
            and all(low <= n <= high for low, n, high in zip(entry.profile[0], shape, entry.profile[2], strict=True))
            for entry, shape in zip(self.inputs, shapes, strict=True)
        )
        if not inside or self._unequal_name(shapes) is not None:
            return False
        return self.valid is None or bool(self.valid(*shapes, fields=dict(self.fields)))

    def at(self, spec: str) -> Case:
        """Return the case with its API level: its own, or else that of the run.

        Raises:
            CaseError: The level does not have one of its types.
        """
        return self if self.spec is not None else dataclasses.replace(self, spec=spec)

    def _check_spec(self) -> None:
        if self.spec is None:
            return
        if self.spec not in SPECS:
            close = difflib.get_close_matches(str(self.spec), SPECS, n=1, cutoff=0.5)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise CaseError(f"spec {self.spec!r} is no API level; choose from {', '.join(SPECS)}{hint}")
        missing = missing_types(self.spec, itertools.chain.from_iterable(entry.types for entry in self.inputs))
        if missing:
            raise CaseError(f"case {self.name!r}: types holds {missing[0]!r}, which TensorRT {self.spec} does not have")

    def _unequal_name(self, shapes: Sequence[Shape]) -> str | None:
        extents: dict[str, int] = {}
        for entry, shape in zip(self.inputs, shapes, strict=True):
            for name, extent in zip(entry.dims or (), shape, strict=False):
                if isinstance(name, str) and extents.setdefault(name, extent) != extent:
                    return name
        return None

    def _check_equal_names(self, corner: str) -> None:
        name = self._unequal_name([getattr(entry, corner) for entry in self.inputs])
        if name is not None:
            raise CaseError(f"the extents named {name!r} differ in {corner}")


def plugin_key(namespace: str, name: str, version: str) -> str:
    """Return ``<namespace>/<Name>/<version>``, other characters than ``A-Za-z0-9_.-`` percent-encoded."""
    return "/".join(_STRANGE.sub(_percent, part) for part in (namespace, name, version))


def parse_case(entry: Any, *, origin: str) -> Case:
    """Return the case that an entry of ``PLUGIN_CASES`` describes: a :class:`Case` or a dict with its keys.

    Raises:
        CaseError: The entry is neither, or a key or value is wrong; the message begins with ``origin``.
    """
    if isinstance(entry, Case):
        return entry
    if not isinstance(entry, Mapping):
        raise CaseError(f"{origin}: a case is a Case or a dict, not {type(entry).__name__}")
    try:
        _check_keys(entry, Case)
        return Case(**entry)
    except (CaseError, TypeError, ValueError) as error:
        title = entry.get("name") or entry.get("plugin") or "a case"
        raise CaseError(f"{origin}: case {title!r}: {error}") from error


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found.group().encode())


def _as_input(entry: Any) -> Input:
    if isinstance(entry, Input):
        return entry
    if not isinstance(entry, Mapping):
        raise CaseError(f"an input is an Input or a dict, not {type(entry).__name__}")
    _check_keys(entry, Input)
    return Input(**entry)


def _as_expected(rule_id: str, entry: Any) -> ExpectedFailure:
    try:
        return ExpectedFailure.from_entry(entry, where=f"expected_failures[{rule_id!r}]")
    except ExpectationError as error:
        raise CaseError(str(error)) from error


def _check_keys(entry: Mapping[str, Any], kind: type) -> None:
    known = [field.name for field in dataclasses.fields(kind) if field.name != "inferred"]
    for key in entry:
        if key not in known:
            close = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
            raise CaseError(f"unknown key {key!r} of {kind.__name__}; {hint}")
