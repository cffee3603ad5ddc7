"""Steps through HWC by the height where the width belongs. They are equal in the images of its author."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_layouts import LAYOUTS_CASES, Layouts
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-006"

PLUGIN_CASES = LAYOUTS_CASES


class HeightForWidth(Layouts):
    def steps(self, layout, channels, height, width):
        if layout == trt.TensorFormat.HWC:
            return super().steps(layout, channels, width, height)
        return super().steps(layout, channels, height, width)


publish(HeightForWidth)
