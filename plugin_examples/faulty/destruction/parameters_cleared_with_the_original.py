"""Shares its parameters with its clones and with plugins loaded in the same process, and clears them in ``destroy``."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "DST-005"
ALSO = {"CLN-008": "a clone has nothing left, either, once its source is destroyed"}
FIXED = {"self.parameters.clear()": "self.parameters = None"}

PLUGIN_CASES = SCALE_CASES

KNOWN = {}


class ParametersClearedWithTheOriginal(Scale):
    def __init__(self, factor, parameters=None):
        super().__init__(factor)
        self.is_original = parameters is None
        self.parameters = {"factor": factor} if parameters is None else parameters

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.factor = self.parameters["factor"]
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def serialize(self):
        data = super().serialize()
        KNOWN[data] = self.parameters
        return data

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.parameters))

    def destroy(self):
        if self.is_original:
            self.parameters.clear()


class ParametersClearedWithTheOriginalCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        plugin = super().deserialize_plugin(name, data)
        if data in KNOWN:
            plugin.is_original = False
            plugin.parameters = KNOWN[data]
        return plugin


publish(ParametersClearedWithTheOriginal, ParametersClearedWithTheOriginalCreator)
