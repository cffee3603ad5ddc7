"""Logs in ``destroy`` which factor it has released, and reads that from the resource."""

import logging

from plugin_examples.faulty.bases.sound_resource_v3 import SharedScale
from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, publish

BREAKS = "RES-006"

PLUGIN_CASES = SCALE_CASES


class ReleasedBeforeTheLastLook(SharedScale):
    def destroy(self):
        if self.resource is not None:
            self.release()
            logging.getLogger(__name__).debug("released the factor %s", self.resource.factor)
            self.resource = None


publish(ReleasedBeforeTheLastLook)
