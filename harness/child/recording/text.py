"""Write recorded cases as the text of a file that ``--plugin-cases`` takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from harness.subject.serialized_cases import Given, Reached

if TYPE_CHECKING:
    import numpy as np

    from harness.cases.case import Case
    from harness.cases.input import Input

#: Of a constant with more elements, the text has only a range: its least and its greatest element.
_MOST_ELEMENTS = 32


def text_of(cases: Sequence[Case], title: str) -> str:
    """Return the text of a Python file with these cases; ``title`` becomes its docstring."""
    entries = "".join(f"    {{\n{_body(case)}    }},\n" for case in cases)
    return f'"""{title}"""\n\nimport numpy as np\n\nPLUGIN_CASES = [\n{entries}]\n'


def _body(case: Case) -> str:
    return "".join(f"        {line}\n" for line in _lines(case))


def _lines(case: Case) -> Iterator[str]:
    yield f'"plugin": {_quoted(case.plugin)},'
    if case.version != "1":
        yield f'"version": {_quoted(case.version)},'
    if case.namespace:
        yield f'"namespace": {_quoted(case.namespace)},'
    yield f'"name": {_quoted(case.name)},'
    if case.fields:
        yield '"fields": {'
        yield from (f"    {_quoted(name)}: {_field(value)}," for name, value in case.fields.items())
        yield "},"
    yield '"inputs": ['
    yield from (f"    {{{', '.join(_input(entry))}}}," for entry in case.inputs)
    yield "],"
    if isinstance(case.valid, Reached):
        shapes = ", ".join(map(repr, case.valid.shapes))
        yield f'"valid": lambda *shapes, fields: tuple(map(tuple, shapes)) in {{{shapes}}},'
    names = ", ".join(f"x{place}" for place in range(len(case.inputs)))
    reference = getattr(case.reference, "source", "")
    if reference:
        yield f'"reference": {reference},'
    else:
        yield f'# "reference": lambda {names}, *, fields: ...,  # in NumPy; without it results are not judged'


def _input(entry: Input) -> Iterator[str]:
    low, best, high = entry.profile
    if entry.shape_input:
        yield '"shape_input": True'
    yield f'"dims": {_tuple(entry.dims or ())}'
    if entry.shape_input or low != high:
        yield f'"min": {_tuple(low)}, "opt": {_tuple(best)}, "max": {_tuple(high)}'
    yield f'"types": {_quoted(entry.types[0])}' if len(entry.types) == 1 else f'"types": {_tuple(entry.types)}'
    if isinstance(entry.values, Given):
        yield f'"values": {_given(entry.values.data)}'
    elif entry.values is not None:
        yield f'"values": {entry.values!r}'
    if entry.scale is not None:
        yield f'"scale": {entry.scale!r}'


def _given(data: np.ndarray[Any, Any]) -> str:
    if data.size > _MOST_ELEMENTS:
        return f"({data.min().item()!r}, {data.max().item()!r})"
    return f"lambda rng, shape, dtype: np.resize(np.array({data.ravel().tolist()!r}, dtype), shape)"


def _field(value: Any) -> str:
    data, kind = value if isinstance(value, tuple) else (value, None)
    if kind is not None and kind.name == "CHAR":
        return repr(data.tobytes())
    return f"np.array({data.tolist()!r}, np.{data.dtype.name})"


def _tuple(values: Sequence[Any]) -> str:
    shown = [_quoted(each) if isinstance(each, str) else repr(each) for each in values]
    return f"({shown[0]},)" if len(shown) == 1 else f"({', '.join(shown)})"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
