"""Serializes to text, as some of NVIDIA's samples do."""

import json

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-001"

PLUGIN_CASES = SCALE_CASES


class SerializedAsText(Scale):
    def serialize(self):
        return json.dumps({"factor": self.factor})


class SerializedAsTextCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        return self.make(json.loads(data)["factor"])


publish(SerializedAsText, SerializedAsTextCreator)
