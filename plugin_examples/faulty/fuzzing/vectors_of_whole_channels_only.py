"""Takes HWC8 for vectors of eight channels that are full: the channels of the last one are left out if it is not."""

from plugin_examples.faulty.bases.sound_layouts import LAYOUTS_CASES, VECTOR, Layouts
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-006"

PLUGIN_CASES = LAYOUTS_CASES


class WholeVectorsOnly(Layouts):
    def compute(self, x, y):
        channels = x.shape[1]
        if any(each.strides[1] == each.itemsize for each in (x, y)) and x.dtype.char == "e":
            channels = channels // VECTOR * VECTOR
        super().compute(x[:, :channels], y[:, :channels])


publish(WholeVectorsOnly)
