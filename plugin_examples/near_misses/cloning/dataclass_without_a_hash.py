"""Is a dataclass, whose objects are compared by their parameters and have no hash."""

import dataclasses

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

LOOKS_LIKE = "CLN-001"

PLUGIN_CASES = SCALE_CASES


@dataclasses.dataclass(init=False)
class Compared(Scale):
    factor: float

    def __init__(self, *parameters):
        super().__init__(*parameters)


publish(Compared)
