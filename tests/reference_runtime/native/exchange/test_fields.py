"""Plugin fields come to C++ and back as they were; without data they have none."""

import ctypes

import numpy as np

from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection, received
from reference_runtime.native.abi.slots import Abi
from reference_runtime.native.exchange.fields import lent_fields, read_fields
from reference_runtime.native.exchange.lent_memory import LentMemory
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
