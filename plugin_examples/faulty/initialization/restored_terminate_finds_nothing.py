"""Ends in ``terminate`` what ``configure_plugin`` began, which an engine calls on clones alone."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-005"

PLUGIN_CASES = SCALE_CASES


class RestoredTerminate(Scale):
    def configure_plugin(self, inputs, outputs):
        self.shapes = [tuple(inputs[0].desc.dims)]

    def terminate(self):
        self.shapes.clear()


publish(RestoredTerminate)
