"""What is seen of a creator: its attributes, what it advertises, and how it refuses."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.checks.fields.creating import (
    advertised,
    as_assigned,
    create_from,
    create_strictly,
    creator_attributes,
    deserialize_from,
)
from harness.contract.finding import CallbackFailedError, NotRun
from reference_runtime.bound.errors import NeedsGpu
from tests.support.workbench import Creator, Plugin, subject_of

FLOAT = trt.PluginFieldType.FLOAT32


def test_attributes_that_were_never_assigned_are_none():
    class Bare(trt.IPluginCreator):
        name = "a class attribute, which TensorRT does not see"

    attributes = creator_attributes(Bare())
    assert attributes == dict.fromkeys(["name", "plugin_version", "plugin_namespace", "field_names"])


def test_a_string_is_known_beyond_its_nul():
    creator = Creator()
    creator.plugin_version = "1\0 beta"
    held = creator_attributes(creator)["plugin_version"]
    assert (held, as_assigned(held), as_assigned("plain")) == ("1", "1\0 beta", "plain")


def test_an_advertised_field_says_whether_its_data_are_still_there():
    kept = np.ones(4, np.float32)[::2]
    creator = Creator(advertised=[trt.PluginField("a", kept, FLOAT), trt.PluginField("b", np.ones(2), FLOAT)])
    first, second = advertised(creator)
    assert (first.place, first.size, first.alive, first.source.contiguous) == ("field_names[0] ('a')", 2, True, False)
    assert (second.alive, second.source.itemsize, second.dtype) == (False, 8, np.float32)


@pytest.mark.parametrize(
    ("kind", "readable"), [("FLOAT32", True), ("UNKNOWN", True), ("FLOAT16", False), ("DIMS", False)]
)
def test_some_types_cannot_be_read_back(kind, readable):
    field = trt.PluginField("a", b"", getattr(trt.PluginFieldType, kind))
    assert advertised(Creator(advertised=[field]))[0].is_readable is readable


def test_a_refusal_says_where_in_the_users_code_it_happened():
    def refuse(_fields):
        raise ValueError("no")

    creation = create_from(subject_of(Creator(refuse)), [])
    assert creation.plugin is None
    assert creation.refusal.startswith("raised ValueError: no (test_creating.py:")
    with pytest.raises(CallbackFailedError):
        create_strictly(subject_of(Creator(refuse)))


def test_reads_after_the_call_and_before_the_first_field_are_seen():
    kept = []

    def keep(fields):
        kept.extend(fields)
        assert fields[-1].name not in {"size", "scale", "mode"}
        return Plugin()

    creation = create_strictly(subject_of(Creator(keep)))
    assert [len(creation.negative_indices), creation.late_reads] == [1, []]
    assert kept[0].data.tobytes() == b"\xa5" * 4
    (late,) = creation.late_reads
    assert late.startswith("the data of field 'size' was read (test_creating.py:")


def test_an_object_that_was_returned_before_stops_the_rule():
    plugin = Plugin()
    subject = subject_of(Creator(lambda _: plugin))
    create_from(subject, subject.fields)
    with pytest.raises(CallbackFailedError) as stop:
        create_from(subject, subject.fields)
    assert stop.value.failure.callback == "create_plugin again"


def test_what_the_host_cannot_run_is_no_refusal():
    def compile_kernel(_fields):
        raise NeedsGpu("RawKernel")

    with pytest.raises(NotRun, match="RawKernel"):
        create_from(subject_of(Creator(compile_kernel)), [])


def test_a_missing_deserialize_plugin_is_told_in_words():
    plugin, how = deserialize_from(subject_of(Creator()), b"")
    assert (plugin, how) == (None, "is not overridden")
