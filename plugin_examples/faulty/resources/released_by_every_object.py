"""Releases the shared factor in every ``destroy``, although only objects in contexts acquire it."""

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-004"
ALSO = {
    "CLN-008": "one release too many takes the factor away from other objects",
    "CRE-004": "the same happens if create_plugin made both objects",
}

PLUGIN_CASES = SCALE_CASES


class ReleasedByEveryObject(SharedScale):
    def destroy(self):
        self.resource = None
        self.release()


publish(ReleasedByEveryObject)
