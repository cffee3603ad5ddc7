"""Takes the element type from the first configuration, and keeps it for all later ones."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-020"
FIXED = {"input_desc[0].type = output_desc[0].type = self.dtype": "self.dtype = input_desc[0].type"}

PLUGIN_CASES = SCALE_CASES


class DtypeFromTheFirstConfiguration(Scale):
    dtype = None

    def configure_plugin(self, inputs, outputs):
        if self.dtype is None:
            self.dtype = inputs[0].desc.type

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        input_desc[0].type = output_desc[0].type = self.dtype
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def clone(self):
        other = super().clone()
        other.dtype = self.dtype
        return other


publish(DtypeFromTheFirstConfiguration)
