"""Rejects even widths with an exception in ``configure_plugin``, which TensorRT cannot see."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CFG-005"
ALSO = {"CFG-012": "configure_plugin raises for an accepted combination"}

PLUGIN_CASES = SCALE_CASES


class EvenWidthsRejectedLate(Scale):
    def configure_plugin(self, inputs, outputs):
        width = inputs[0].desc.dims[-1]
        if width > 0 and width % 2 == 0:
            raise ValueError(f"the width must be odd, not {width}")


publish(EvenWidthsRejectedLate)
