import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound.undefined_use import MisuseKind
from reference_runtime.interfaces import field, field_collections

Type = trt.PluginFieldType


def an_int_field(name="a", values=(1, 2, 3)):
    return trt.PluginField(name, np.array(values, np.int32), Type.INT32)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("FLOAT16", np.float16),
        ("FLOAT32", np.float32),
        ("FLOAT64", np.float64),
        ("INT8", np.int8),
        ("INT16", np.int16),
        ("INT32", np.int32),
        ("INT64", np.int64),
        ("CHAR", np.int8),
        ("UNKNOWN", np.int8),
        ("DIMS", None),
        ("BF16", None),
        ("FP8", None),
        ("INT4", None),
        ("FP4", None),
    ],
)
def test_the_declared_type_is_numpys_where_it_has_one(kind, expected):
    assert field_collections.declared_dtype(getattr(Type, kind)) == (None if expected is None else np.dtype(expected))


@pytest.mark.parametrize(
    ("values", "dtype", "kind", "expected"),
    [
        ([1, 2, 3], np.int64, Type.INT32, [1, 0, 2]),
        ([1.0], np.float32, Type.INT32, [0x3F800000]),
        ([1, 2], np.int32, Type.INT16, [1, 0]),
    ],
)
def test_a_wrongly_declared_type_reinterprets_the_bytes(values, dtype, kind, expected):
    assert trt.PluginField("a", np.array(values, dtype), kind).data.tolist() == expected


def test_reading_beyond_the_buffer_gives_poison_and_is_noted():
    field = trt.PluginField("a", np.array([1.0], np.float32), Type.FLOAT64)
    assert field.data.tobytes() == np.float32(1).tobytes() + b"\xa5" * 4
    (noted,) = field_collections.misuses_of(field)
    assert noted.kind is MisuseKind.OUT_OF_BOUNDS
    assert noted.what == "8 bytes of field 'a' were read from a buffer of 4"


def test_a_size_without_data_reads_poison():
    field = trt.PluginField("a")
    field.size = 2
    assert field.data.tobytes() == b"\xa5\xa5"


def test_a_field_keeps_its_buffer_and_a_collection_does_not():
    kept = an_int_field()
    assert kept.data.tolist() == [1, 2, 3]
    collection = trt.PluginFieldCollection([an_int_field()])
    assert not field_collections.is_alive(collection[0])
    assert collection[0].data.tobytes() == b"\xa5" * 12
    assert [one.kind for one in field_collections.misuses_of(collection[0])] == [MisuseKind.FREED_BUFFER]


def test_a_collection_over_arrays_that_the_user_holds_stays_readable():
    held = np.array([4, 5], np.int32)
    collection = trt.PluginFieldCollection([trt.PluginField("a", held, Type.INT32)])
    assert collection[0].data.tolist() == [4, 5]
    assert field_collections.misuses_of(collection[0]) == []


def test_the_source_of_a_field_shows_what_was_handed_over():
    source = field_collections.source_of(trt.PluginField("a", np.arange(6, dtype=np.int64)[::2], Type.INT32))
    assert (source.format, source.count, source.contiguous) == ("l", 3, False)
    assert field_collections.source_of(trt.PluginField("a")) is None


def test_an_earlier_buffer_stays_alive_after_the_data_is_replaced():
    field = an_int_field()
    copied = trt.PluginFieldCollection([field])
    field.data = np.array([7, 8, 9], np.int32)
    assert field.data.tolist() == [7, 8, 9]
    assert copied[0].data.tolist() == [1, 2, 3]


class TestReceivedFields:
    def test_they_look_like_what_tensorrt_hands_over(self):
        collection = field_collections.received([an_int_field("a"), an_int_field("b", [4])])
        assert type(collection).__name__ == "PluginFieldCollection_"
        assert isinstance(collection, trt.PluginFieldCollection_)
        assert [(field.name, field.type, field.size, field.data.tolist()) for field in collection] == [
            ("a", Type.INT32, 3, [1, 2, 3]),
            ("b", Type.INT32, 1, [4]),
        ]
        assert collection.misuses == []

    def test_they_are_deep_copies(self):
        source = np.array([1], np.int32)
        field = trt.PluginField("a", source, Type.INT32)
        collection = field_collections.received([field])
        source[0] = 9
        del field
        assert collection[0].data.tolist() == [1]

    def test_fields_whose_type_cannot_be_read_are_handed_over_all_the_same(self):
        field = trt.PluginField("a", np.array([1.5], np.float16), Type.FLOAT16)
        (copied,) = field_collections.received([field])
        assert (copied.size, copied.type) == (1, Type.FLOAT16)

    def test_a_negative_index_gives_garbage_and_is_noted(self):
        collection = field_collections.received([an_int_field()])
        garbage = collection[-1]
        assert garbage.name != "a"
        assert garbage.data.tobytes() == b"\xa5" * 8
        assert [one.kind for one in collection.misuses] == [MisuseKind.NEGATIVE_INDEX]
        assert collection.misuses[0].where.startswith(f"{__file__}:")

    def test_after_the_call_everything_reads_as_poison_and_is_noted(self):
        collection = field_collections.received([an_int_field()])
        field = collection[0]
        collection.free()
        assert field.data.tobytes() == b"\xa5" * 12
        assert collection[0].name != "a"
        assert [one.kind for one in collection.misuses] == [MisuseKind.FREED_FIELDS] * 2

    def test_what_was_copied_in_time_is_the_plugins_own(self):
        collection = field_collections.received([an_int_field()])
        data = collection[0].data
        collection.free()
        assert data.tolist() == [1, 2, 3]
        assert collection.misuses == []

    def test_a_plain_collection_made_by_a_user_is_garbage_below_zero_too(self):
        vector = trt.PluginFieldCollection([an_int_field()])
        assert trt.PluginFieldCollection_(vector)[-1].name != "a"

    def test_their_data_can_be_given_as_another_kind_of_array(self):
        class Watched(np.ndarray):
            pass

        collection = field_collections.received([an_int_field()], read_through=Watched)
        assert type(collection[0].data) is Watched
        assert collection[0].data.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("kind", "size", "nbytes"),
    [
        ("FLOAT16", 3, 6),
        ("FLOAT64", 1, 8),
        ("CHAR", 5, 5),
        ("DIMS", 1, 72),
        ("BF16", 3, 6),
        ("FP8", 3, 3),
        ("INT4", 3, 2),
        ("FP4", 2, 1),
        ("INT64", 2, 16),
        ("UNKNOWN", 1, 80),
        ("INT32", -1, 0),
    ],
)
def test_what_cpp_copies_of_a_field_follows_its_type_and_size(kind, size, nbytes):
    data = np.arange(80, dtype=np.uint8)
    one = trt.PluginField("a", data, getattr(Type, kind))
    one.size = size
    assert field.content(one) == (data.tobytes()[:nbytes], nbytes)


def test_what_cpp_copies_from_nowhere_is_poison():
    one = trt.PluginField("a")
    assert field.content(one) == (b"", 0)
    one.type, one.size = Type.INT16, 2
    assert field.content(one) == (b"\xa5" * 4, 0)


def test_what_cpp_copies_from_a_buffer_that_is_gone_is_poison():
    (one,) = trt.PluginFieldCollection([an_int_field()])
    assert field.content(one) == (b"\xa5" * 12, 0)
