"""Multiplies each channel with the factor of the first, which equal factors do not show."""

import struct

import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, publish

BREAKS = "ENQ-023"

CHANNELS = 3
STORED = struct.Struct(f"<{CHANNELS}f")


def reference(x, *, fields):
    return (x * fields["factors"]).astype(x.dtype)


ROWS = {"dims": ("N", CHANNELS), "min": (0, CHANNELS), "opt": (2, CHANNELS), "max": (4, CHANNELS)}
PLUGIN_CASES = [
    {
        "plugin": "Scale",
        "name": "equal",
        "fields": {"factors": np.array([2] * CHANNELS, np.float32)},
        "inputs": [{**ROWS, "types": ("float32", "float16")}],
        "reference": reference,
    }
]


class FirstOfTheFactors(Scale):
    def __init__(self, factors):
        super().__init__(factors[0])
        self.factors = tuple(factors)

    def serialize(self):
        return STORED.pack(*self.factors)

    def clone(self):
        return self.copy_identity_to(type(self)(self.factors))


class FactorsCreator(ScaleCreator):
    plugin_class = FirstOfTheFactors

    def __init__(self):
        super().__init__()
        self.field_names = trt.PluginFieldCollection(
            [trt.PluginField("factors", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        )

    def create_plugin(self, name, field_collection):
        for field in field_collection:
            if field.name == "factors" and field.data.dtype == np.float32 and field.size == CHANNELS:
                return self.make([each.item() for each in field.data])
        return None

    def deserialize_plugin(self, name, data):
        return self.make(STORED.unpack(data)) if len(data) == STORED.size else None


publish(FirstOfTheFactors, FactorsCreator)
