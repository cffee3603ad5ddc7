"""Plugin fields come to C++ and back as they were; without data they have none."""

import ctypes
from pathlib import Path

import numpy as np
import pytest

from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection, received
from reference_runtime.native.abi.slots import Abi
from reference_runtime.native.exchange.fields import insist_on_lasting, lent_fields, read_fields
from reference_runtime.native.exchange.lent_memory import LentMemory
from reference_runtime.native.exchange.misuses import MisuseError
from reference_runtime.native.exchange.thread_stack import is_on_stack
from reference_runtime.values.enums import PluginFieldType

STRUCTURES = Abi("10").structures


def there_and_back(*fields, **how):
    with lent_fields(LentMemory(), received(fields)) as address:
        return list(read_fields(STRUCTURES, address, **how))


def test_numbers_come_back():
    values = np.array([1.5, -2.0], np.float32)
    (found,) = there_and_back(PluginField("axes", values, PluginFieldType.FLOAT32))
    assert (found.name, found.type, found.size) == ("axes", PluginFieldType.FLOAT32, 2)
    assert found.data.tolist() == [1.5, -2.0]


def test_several_fields_keep_their_order():
    fields = [PluginField(name, np.array([n], np.int32), PluginFieldType.INT32) for n, name in enumerate("abc")]
    assert [(each.name, int(each.data[0])) for each in there_and_back(*fields)] == [("a", 0), ("b", 1), ("c", 2)]


def test_a_field_without_data_has_none():
    field = PluginField("advertised")
    field.type = PluginFieldType.INT32
    (found,) = there_and_back(field, advertised=True)
    assert (found.name, found.type, found.size) == ("advertised", PluginFieldType.INT32, 0)


def test_no_collection_is_a_null_pointer():
    with lent_fields(LentMemory(), None) as address:
        assert address == 0
    assert read_fields(STRUCTURES, 0) is None


def test_an_empty_collection_has_no_fields():
    with lent_fields(LentMemory(), received(PluginFieldCollection())) as address:
        assert len(read_fields(STRUCTURES, address)) == 0


def test_text_ends_with_a_null_that_its_length_does_not_count():
    field = PluginField("mode", np.frombuffer(b"add", np.int8), PluginFieldType.CHAR)
    with lent_fields(LentMemory(), received([field])) as address:
        collection = STRUCTURES.field_collection.from_address(address)
        record = STRUCTURES.field.from_address(collection.fields)
        assert record.length == 3
        assert ctypes.string_at(record.data) == b"add"


def wrong_at(place):
    """Return what says that one address is wrong."""
    return lambda address, size: f"is wrong for {size} bytes" if address == place else ""


@pytest.fixture
def kept():
    """Return a collection of one field, and its parts: they stay as long as the test."""
    number, name = np.array([2.5, 3], np.float32), ctypes.create_string_buffer(b"factor")
    record = STRUCTURES.field(ctypes.cast(name, ctypes.c_char_p), number.ctypes.data, int(PluginFieldType.FLOAT32), 2)
    collection = STRUCTURES.field_collection(1, ctypes.addressof(record))
    return collection, record, name, number


def test_a_collection_that_lasts_is_sound(kept):
    insist_on_lasting(ctypes.addressof(kept[0]), wrong_at(0))


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (0, "the collection is wrong for 16 bytes"),
        (1, "the array of fields is wrong for 24 bytes"),
        (2, "the name of field 0 is wrong for 1 bytes"),
        (3, "field 0, whose length is 2, is wrong for 8 bytes"),
    ],
)
def test_what_the_heap_knows_of_each_part_is_said(kept, part, words):
    address = kept[3].ctypes.data if part == 3 else ctypes.addressof(kept[part])
    with pytest.raises(MisuseError, match=words):
        insist_on_lasting(ctypes.addressof(kept[0]), wrong_at(address))


@pytest.mark.parametrize(
    ("count", "fields", "words"),
    [(-1, 8, "has -1 fields"), (1, 0, "has 1 fields at the address 0x0")],
)
def test_a_collection_without_its_array_is_refused(kept, count, fields, words):
    collection = kept[0]
    collection.nbFields, collection.fields = count, fields
    with pytest.raises(MisuseError, match=words):
        insist_on_lasting(ctypes.addressof(collection), wrong_at(0))


def test_a_field_without_a_name_is_refused(kept):
    kept[1].name = None
    with pytest.raises(MisuseError, match="the name of field 0 is a null pointer"):
        insist_on_lasting(ctypes.addressof(kept[0]), wrong_at(0))


def test_a_local_variable_is_refused(kept):
    areas = [line.split() for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()]
    (end,) = (int(area[0].partition("-")[2], 16) for area in areas if area[-1] == "[stack]")
    assert not is_on_stack(ctypes.addressof(kept[0]))
    assert is_on_stack(end - (1 << 20))
