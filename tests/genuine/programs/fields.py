"""Plugin fields: whose memory they hold, how they are read, and what a collection does with them."""

import gc

import numpy as np
import tensorrt as trt


def kinds_and_lengths():
    made = [
        trt.PluginField(name, np.array(values, kind), getattr(trt.PluginFieldType, field))
        for name, values, kind, field in (
            ("a", [1.5, 2.5], np.float32, "FLOAT32"), ("b", [1, 2, 3], np.int32, "INT32"),
            ("c", [1], np.int64, "INT64"), ("d", [1, 2], np.int8, "INT8"), ("e", [1, 2], np.float16, "FLOAT16"),
            ("f", [0.5], np.float64, "FLOAT64"), ("g", [7], np.int16, "INT16"),
        )
    ]  # fmt: skip
    return [(one.name, one.type, one.size, one.data) for one in made]


def bytes_of_text():
    field = trt.PluginField("a", b"abc", trt.PluginFieldType.CHAR)
    return [field.size, field.type, field.data]


def the_type_does_not_convert():
    field = trt.PluginField("a", np.array([1.0], np.float32), trt.PluginFieldType.INT32)
    return [field.size, field.data]


def a_field_shows_its_owners_memory():
    values = np.array([1, 2], np.int32)
    field = trt.PluginField("a", values, trt.PluginFieldType.INT32)
    values[0] = 9
    return [field.data, np.shares_memory(field.data, values), field.data.flags.owndata]


def a_field_with_nothing():
    field = trt.PluginField()
    return [field.name, field.type, field.size]


def named_only():
    field = trt.PluginField("a")
    return [field.name, field.type, field.size]


def data_replaced():
    first, second = np.array([1], np.int32), np.array([2, 3], np.int32)
    field = trt.PluginField("a", first, trt.PluginFieldType.INT32)
    field.data = second
    return [field.size, field.data, field.type]


def size_assigned():
    values = np.array([1, 2, 3], np.int32)
    field = trt.PluginField("a", values, trt.PluginFieldType.INT32)
    field.size = 2
    return [field.size, field.data]


def strided_memory():
    return trt.PluginField("a", np.arange(6, dtype=np.int32)[::2], trt.PluginFieldType.INT32).size


def two_dimensions():
    field = trt.PluginField("a", np.ones((2, 3), np.float32), trt.PluginFieldType.FLOAT32)
    return [field.size, field.data]


def collections_copy_records():
    values = np.array([1], np.int32)
    field = trt.PluginField("a", values, trt.PluginFieldType.INT32)
    fields = trt.PluginFieldCollection([field])
    field.name = "changed"
    fields[0].name = "inside"
    return [field.name, fields[0].name, len(fields), [one.name for one in fields]]


def collections_like_lists():
    fields = trt.PluginFieldCollection([trt.PluginField(name) for name in "abc"])
    fields.append(trt.PluginField("d"))
    fields.insert(0, trt.PluginField("z"))
    popped = fields.pop()
    fields.extend([trt.PluginField("x")])
    del fields[1]
    return [[one.name for one in fields], popped.name, len(fields), bool(fields), fields[-1].name]


def collections_out_of_range():
    fields = trt.PluginFieldCollection([])
    fields[0] = trt.PluginField("a")


def popped_from_nothing():
    return trt.PluginFieldCollection([]).pop()


def sliced():
    fields = trt.PluginFieldCollection([trt.PluginField(name) for name in "abcd"])
    part = fields[1:3]
    fields[0:2] = trt.PluginFieldCollection([trt.PluginField("x"), trt.PluginField("y")])
    del fields[3:]
    return [type(part).__name__, [one.name for one in part], [one.name for one in fields]]


def sliced_with_another_length():
    fields = trt.PluginFieldCollection([trt.PluginField(name) for name in "abcd"])
    fields[0:2] = trt.PluginFieldCollection([trt.PluginField("x")])


def cleared():
    fields = trt.PluginFieldCollection([trt.PluginField("a")])
    fields.clear()
    return [len(fields), bool(fields)]


def what_is_no_field():
    return trt.PluginFieldCollection([5])


def a_creators_fields():
    creator = trt.IPluginCreator()
    creator.field_names = trt.PluginFieldCollection([trt.PluginField("a", np.array([2], np.int32),
                                                                     trt.PluginFieldType.INT32)])  # fmt: skip
    read = creator.field_names
    gc.collect()
    return [type(read).__name__, len(read), read[0].name, read[0].type]


def names_longer_than_one_word():
    fallback = trt.FallbackString("a name")
    field = trt.PluginField(fallback)
    return [field.name, trt.PluginField(name="keyword").name]
