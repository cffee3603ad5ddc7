"""Keeps weak references to all its objects, and nothing alive by them."""

import weakref

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "DST-008"

PLUGIN_CASES = SCALE_CASES
LIVING = weakref.WeakSet()


class Counted(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        LIVING.add(self)


publish(Counted)
