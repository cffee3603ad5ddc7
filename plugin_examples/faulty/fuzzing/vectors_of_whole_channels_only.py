"""Takes HWC8 for full vectors of eight channels: if the last vector is not full, its channels are left out."""

from plugin_examples.faulty.bases.sound_layouts import LAYOUTS_CASES, VECTOR, Layouts
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-006"
FIXED = {
    "channels = channels // VECTOR * VECTOR": "pass  # also the channels of a vector that is not full",
}

PLUGIN_CASES = LAYOUTS_CASES


class WholeVectorsOnly(Layouts):
    def compute(self, x, y):
        channels = x.shape[1]
        if any(each.strides[1] == each.itemsize for each in (x, y)) and x.dtype.char == "e":
            channels = channels // VECTOR * VECTOR
        super().compute(x[:, :channels], y[:, :channels])


publish(WholeVectorsOnly)
