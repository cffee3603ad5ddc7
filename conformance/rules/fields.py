"""PFD: plugin fields and their collections, those that a creator advertises and those that it is given."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.fields import field_variants as variants
from harness.checks.fields.creating import advertised, create_from, create_if_possible, stored
from harness.checks.lifecycle.equivalence import behaviour, unlike_the_usual
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import FIELD_SERIALIZED, Severity, rule
from harness.contract.wording import counted
from harness.subject.fields import unset_fields

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.fields.creating import Advertised
    from harness.subject.subject import Subject


@rule("PFD-001", languages=PYTHON, level=1, source=plugins.FIELD_TYPE, requires={"CRE-001"})
def buffers_are_of_the_declared_type(subject: Subject) -> Iterator[Finding]:
    """The elements of a field's buffer have the field's declared type.

    A field keeps an address, a type and a number of elements. TensorRT reads elements of another width as other
    numbers, or reads beyond the end of the buffer.
    """
    typed = [(entry, entry.dtype) for entry in _with_data(subject) if entry.dtype is not None and not _is_opaque(entry)]
    if not typed:
        raise NotApplicable("no field that carries data is of a type that Python reads")
    for entry, dtype in typed:
        fits = entry.source.itemsize == dtype.itemsize and _kind(entry.source.format) == dtype.kind
        yield check(
            fits,
            lambda: Violation(
                what=f"field {entry.name!r} of type {entry.type.name} was made over elements of format "
                f"{entry.source.format!r}",
                where=entry.place,
                expected=f"elements of {entry.dtype}",
                observed=f"elements of {entry.source.itemsize} bytes, read back as {entry.dtype}",
                fix=f"Make the array with dtype=np.{entry.dtype}, or declare the type that it has.",
            ),
        )


@rule("PFD-002", languages=PYTHON, level=1, source=plugins.FIELD_CONTIGUOUS, requires={"CRE-001"})
def buffers_are_contiguous(subject: Subject) -> Iterator[Finding]:
    """A field's buffer is C-contiguous.

    A field keeps the address of the first element, and no strides: TensorRT reads the elements beside it.
    """
    for entry in _with_data(subject):
        yield check(
            entry.source.contiguous,
            lambda: Violation(
                what=f"field {entry.name!r} was made over a buffer that is not contiguous",
                where=entry.place,
                expected="a C-contiguous buffer",
                observed=f"strides, which TensorRT ignores: it reads elements that are not these {entry.size}",
                fix="Pass np.ascontiguousarray(...), and keep it.",
            ),
        )


@rule("PFD-003", languages=PYTHON, level=1, source=plugins.FIELD_UNKNOWN, requires={"CRE-001"})
def opaque_data_are_bytes(subject: Subject) -> Iterator[Finding]:
    """A field of type UNKNOWN has a buffer of single bytes.

    Its length counts bytes, but the bindings set it to the number of elements. So TensorRT stores only a part of wider
    elements.
    """
    opaque = [entry for entry in _with_data(subject) if _is_opaque(entry)]
    if not opaque:
        raise NotApplicable("no field of type UNKNOWN carries data")
    for entry in opaque:
        yield check(
            entry.source.itemsize == 1,
            lambda: Violation(
                what=f"field {entry.name!r} of type UNKNOWN was made over elements of {entry.source.itemsize} bytes",
                where=entry.place,
                expected=f"{entry.source.nbytes} elements of one byte",
                observed=f"{entry.size} elements: {entry.size} of {entry.source.nbytes} bytes are read",
                fix="Pass array.view(np.uint8), or bytes.",
            ),
        )


@rule("PFD-004", level=1, source=plugins.FIELD_LIFETIME, requires={"CRE-001", "PFD-001"})
def buffers_stay_alive(subject: Subject) -> Iterator[Finding]:
    """A field's buffer lives as long as TensorRT may read it, and an advertised field's as long as the creator.

    A collection copies addresses and keeps no array alive. An array that only the call held is gone when TensorRT
    reads it. TensorRT reads the fields that an IPluginV3 stores after the call has returned.
    """
    for entry in _with_data(subject):
        yield check(
            entry.alive,
            lambda: Violation(
                what=f"the data of field {entry.name!r} were freed",
                where=entry.place,
                expected=f"{counted(entry.size, 'element')} in an array that is kept alive",
                observed="nothing keeps the array alive: TensorRT reads freed memory",
                fix="Keep the array in an attribute of the plugin or the creator.",
            ),
        )


@rule("PFD-005", languages=PYTHON, level=1, source=plugins.FIELD_UNREADABLE, requires={"CRE-001"})
def advertised_types_can_be_read(subject: Subject) -> Iterator[Finding]:
    """Advertised and stored fields have types that Python can read back.

    ``field.data`` raises AttributeError for FLOAT16, BF16, FP8, INT4, FP4 and DIMS, so ``create_plugin`` cannot
    read the value.
    """
    entries = advertised(subject.creator)
    if all(entry.is_readable for entry in entries):  # else no plugin can be made of them
        creation = create_if_possible(subject)
        if creation.plugin is None:  # CRE-002 reports it
            raise NotRun(f"there is no plugin to look at: create_plugin {creation.refusal}")
        entries = _entries(subject)
    if not entries:
        raise NotApplicable("no fields are advertised or stored")
    for entry in entries:
        yield check(
            entry.is_readable,
            lambda: Violation(
                what=f"field {entry.name!r} is of type {entry.type.name}, which Python cannot read",
                where=entry.place,
                expected="a type whose data can be read, such as FLOAT32 or INT32",
                observed=f"{entry.type.name}: field.data raises AttributeError",
                fix="Use FLOAT32, or UNKNOWN with bytes.",
            ),
        )


@rule("PFD-006", languages=PYTHON, source=plugins.FIELD_INDEX)
def collection_is_indexed_from_zero(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` indexes the collection from 0 to its length minus 1.

    The bindings check only the upper bound: a negative index returns the memory before the first field.
    """
    for shown, values in {"the case's fields": subject.fields, "no fields": []}.items():
        creation = create_from(subject, values)
        if creation.plugin is None and not creation.negative_indices:
            continue
        yield check(
            not creation.negative_indices,
            lambda: Violation(
                what=f"create_plugin used a negative index: {creation.negative_indices[0]}",
                where=f"create_plugin with {shown}",
                expected="indices from 0 to len(field_collection) - 1",
                observed="arbitrary memory, without an exception",
                fix="Iterate over the collection, or write field_collection[len(field_collection) - 1].",
            ),
        )


@rule("PFD-007", languages=PYTHON, level=1, source=plugins.FIELD_SCALAR)
def scalars_are_taken_out_by_index(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` takes a single number from ``field.data`` by ``data[0]`` or ``.item()``.

    ``field.data`` is always a one-dimensional array. ``int()`` and ``float()`` of one raise TypeError since NumPy
    2.4.
    """
    if not any(variants.is_number(value) for value in subject.fields):
        raise NotApplicable("the case has no field of numbers")
    notes: list[variants.Conversion] = []
    creation = create_if_possible(subject, read_through=variants.noting_conversions(notes))
    if creation.plugin is None and not notes:
        return
    yield check(
        not notes,
        lambda: Violation(
            what=f"create_plugin called {notes[0].how}() on a one-dimensional array",
            where="field.data of a field of the case",
            expected=f"{notes[0].how}(field.data[0])",
            observed=f"{notes[0].how}(field.data) ({notes[0].place}), which is a TypeError since NumPy 2.4",
            fix="Take the number by field.data[0] or field.data.item().",
        ),
    )


@rule("PFD-008", source=plugins.FIELD_TEXT, severity=Severity.WARNING, requires=RUNS)
def text_may_end_with_a_nul(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` reads text with and without a NUL at its end.

    C++ callers usually pass a NUL, Python callers usually do not.
    """
    texts = [value for value in subject.fields if value.type == subject.trt.PluginFieldType.CHAR]
    if not texts:
        raise NotApplicable("the case has no CHAR field")
    usual = behaviour(subject, subject.create())
    for value in texts:
        for shown, other in variants.endings(value).items():
            fields = variants.changed(subject.fields, value.name, lambda _: other)
            problem = unlike_the_usual(subject, usual, create_from(subject, fields))
            yield check(
                not problem,
                lambda: Violation(
                    what=f"the creator reads field {value.name!r} differently {shown}",
                    where=f"create_plugin with {other}",
                    expected=f"the same plugin as from {value}",
                    observed=problem,
                    fix=r"""Decode it with field.data.tobytes().rstrip(b"\0").decode().""",
                ),
            )


@rule("PFD-009", source=plugins.FIELD_EMPTY, severity=Severity.INFO)
def empty_fields_are_not_indexed(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` uses the default for a field of size 0, or refuses it; it does not index into the field.

    Advertised fields have no data. A caller that fills in some of them passes the others as they are.
    """
    case_fields = subject.fields
    rest = unset_fields(subject.creator, case_fields)
    if not case_fields and not rest:
        raise NotApplicable("the creator has no fields")
    offers = {
        f"{value.name!r} empty": variants.changed(case_fields, value.name, variants.emptied) for value in case_fields
    }
    offers["all fields empty"] = [*map(variants.emptied, case_fields), *rest]
    offers |= {f"{value.name!r} empty": [*case_fields, value] for value in rest}
    for shown, values in offers.items():
        creation = create_from(subject, values)
        error = creation.failure.error if creation.failure else None
        yield check(
            not isinstance(error, IndexError),
            lambda: Violation(
                what="create_plugin indexed into a field that has no elements",
                where=f"create_plugin with {shown}",
                expected="a plugin with the default value, None, or an exception that says what is missing",
                observed=f"create_plugin {creation.refusal}",
                fix="Check field.size before you read field.data[0].",
            ),
        )


@rule("PFD-010", languages=PYTHON, level=1, source=plugins.FIELD_SIZE, requires={"CRE-001"})
def size_follows_the_data(subject: Subject) -> Iterator[Finding]:
    """Code that replaces ``field.data`` sets ``field.size`` too.

    The setter changes only the address: TensorRT then reads the old number of elements from the new buffer.
    """
    entries = [entry for entry in _entries(subject) if entry.source is not None]
    if not entries:
        raise NotApplicable("no field has a buffer")
    for entry in entries:
        yield check(
            entry.size == entry.source.count,
            lambda: Violation(
                what=f"field {entry.name!r} has size {entry.size} over a buffer of {entry.source.count} elements",
                where=entry.place,
                expected=f"size {entry.source.count}",
                observed=f"size {entry.size}: assigning data does not change it",
                fix="Make a new PluginField, or assign field.size together with field.data.",
            ),
        )


@rule("PFD-011", level=1, source=plugins.FIELD_UNIQUE, severity=Severity.WARNING, requires={"CRE-001"})
def names_are_unique(subject: Subject) -> Iterator[Finding]:
    """No two fields that are advertised, or stored together, have the same name.

    Fields are identified by their names, so one of the two values is lost.
    """
    collections_of_names = {"field_names": [entry.name for entry in advertised(subject.creator)]}
    if subject.interface in FIELD_SERIALIZED:
        save, plugin = subject.caller.words.save, subject.create()
        for when in ("", ", asked again"):
            collections_of_names[f"{save}(){when}"] = [each.name for each in subject.serialize(plugin)]
    if not any(collections_of_names.values()):
        raise NotApplicable("the creator advertises no fields, and its plugin stores none")
    for where, names in collections_of_names.items():
        for name, count in collections.Counter(names).items():
            yield check(
                count == 1,
                lambda: Violation(
                    what=f"{count} fields are called {name!r}",
                    where=where,
                    expected="each name once",
                    observed=f"{name!r} {count} times",
                    fix="Remove or rename the repeated field; make a new list in each call.",
                ),
            )


def _with_data(subject: Subject) -> list[Advertised]:
    entries = [entry for entry in _entries(subject) if entry.carries_data]
    if not entries:
        raise NotApplicable("no field that is advertised or stored carries data")
    return entries


def _entries(subject: Subject) -> list[Advertised]:
    """Return the fields that the creator advertises, and those that a plugin of it stores."""
    return advertised(subject.creator) + (stored(subject) if subject.interface in FIELD_SERIALIZED else [])


def _is_opaque(entry: Advertised) -> bool:
    return bool(entry.type.name == "UNKNOWN")


def _kind(buffer_format: str) -> str:
    """NumPy's letter for the kind of number that a buffer's format describes; text and bytes count as integers."""
    letter = buffer_format[-1:]
    return "f" if letter in "efdg" else "i"
