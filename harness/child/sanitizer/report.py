"""Read the XML report of compute-sanitizer: each record becomes one value.

Theory. The format is not documented. This code reads the elements that version 2025.3.1 writes, as recorded in
tests/data/sanitizer. A record has elements for the event (``what``), the place in a kernel (``where``), and the thread
(``who``). The element ``hostStack`` shows where the kernel was launched. Its Python frames come last, the innermost of
them first. A race has two places and no ``who``.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    import xml.etree.ElementTree as ET
    from collections.abc import Iterator

_ROOT: Final = "ComputeSanitizerOutput"
_AXES: Final = ("x", "y", "z")
_LIBRARIES: Final = ("site-packages", "dist-packages")


class ReportError(ValueError):
    """The text is no report of compute-sanitizer; the argument says why."""


class SanitizerRecord(msgspec.Struct, frozen=True):
    """One record of a report.

    Attributes:
        kind: The tool's word for the kind of record: ``Precise``, ``Initcheck``, ``Analysis``, ...
        text: What happened.
        level: ``Error``, ``Warning``, or empty if the record has no level.
        kernel: The name of the kernel.
        place: The place in the kernel: ``kernel.cu:4`` if it was compiled with line numbers, else ``name+0xc0``.
        thread: The index of the thread, as ``(9,0,0)``; empty if the record names none.
        block: The index of the thread's block.
        address: The address that was accessed; None if the record names none.
        size: The number of bytes accessed.
        launched: The line of Python that launched the kernel: ``enqueue in bar.py:105``.
    """

    kind: str
    text: str
    level: str = ""
    kernel: str = ""
    place: str = ""
    thread: str = ""
    block: str = ""
    address: int | None = None
    size: int = 0
    launched: str = ""


def records_of(text: str) -> list[SanitizerRecord]:
    """Return the records of a report.

    Raises:
        ReportError: The text is incomplete, or is no report.
    """
    import xml.etree.ElementTree as ET  # noqa: PLC0415 - runs without the tool need none

    try:
        root = ET.fromstring(text)  # noqa: S314 - written on this machine, by a program of the user's
    except ET.ParseError as error:
        raise ReportError(f"the report is no XML: {error}") from error
    if root.tag != _ROOT:
        raise ReportError(f"the report begins with <{root.tag}>, not with <{_ROOT}>")
    return [_record(element) for element in root.iter("record")]


def _record(element: ET.Element) -> SanitizerRecord:
    places = (element.find(path) for path in ("where", "what/source/where"))
    where = next((place for place in places if place is not None), None)
    return SanitizerRecord(
        kind=_text(element, "kind"),
        text=_said(element),
        level=_text(element, "level"),
        kernel=_text(where, "func"),
        place=_place(where),
        thread=_index(element.find("who/threadIdx")),
        block=_index(element.find("who/blockIdx")),
        address=_number(element, "what/address"),
        size=_number(element, "what/size") or 0,
        launched=next(_python(element), ""),
    )


def _said(element: ET.Element) -> str:
    """Return what happened, with both accesses of a race."""
    text, accesses = ": ".join(filter(None, (_text(element, "what/text"), _text(element, "what/type")))), []
    for side in ("source", "destination"):
        access = element.find(f"what/{side}")
        if access is not None:
            accesses.append(f"{_text(access, 'direction').lower()} at {_place(access.find('where'))}")
    return f"{text} between {' and '.join(accesses)}" if accesses else text


def _place(where: ET.Element | None) -> str:
    path, line = _text(where, "path"), _text(where, "line")
    if path:
        return f"{PurePath(path).name}:{line}"
    return "+".join(filter(None, (_text(where, "func"), _text(where, "pc"))))


def _python(element: ET.Element) -> Iterator[str]:
    """Yield the lines of Python from which a kernel was launched, without those of installed libraries."""
    for frame in element.iterfind("hostStack/frame"):
        path = PurePath(_text(frame, "path"))
        if path.suffix == ".py" and not any(folder in path.parts for folder in _LIBRARIES):
            yield f"{_text(frame, 'func')} in {path.name}:{_text(frame, 'line')}"


def _index(element: ET.Element | None) -> str:
    return f"({','.join(_text(element, axis) for axis in _AXES)})" if element is not None else ""


def _number(element: ET.Element, path: str) -> int | None:
    text = _text(element, path)
    try:
        return int(text, 0) if text else None
    except ValueError as error:
        raise ReportError(f"<{path}> holds {text!r}, which is no number") from error


def _text(element: ET.Element | None, path: str) -> str:
    return (element.findtext(path) or "").strip() if element is not None else ""
