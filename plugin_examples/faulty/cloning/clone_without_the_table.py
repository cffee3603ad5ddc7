"""Makes clones without the table that ``initialize`` uploaded, though TensorRT does not initialize clones."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish
from plugin_examples.faulty.bases.sound_table import TableScale

BREAKS = "CLN-003"

PLUGIN_CASES = SCALE_CASES


class CloneWithoutTheTable(TableScale):
    def clone(self):
        return Scale.clone(self)


publish(CloneWithoutTheTable)
