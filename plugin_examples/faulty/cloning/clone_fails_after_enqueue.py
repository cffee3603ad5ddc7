"""Copies itself deeply, which fails once ``enqueue`` has made a lock."""

import copy
import threading

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "CLN-006"

PLUGIN_CASES = SCALE_CASES


class CloneFailsAfterEnqueue(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if not hasattr(self, "lock"):
            self.lock = threading.Lock()
        with self.lock:
            super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)

    def clone(self):
        other = super().clone()
        other.__dict__.update(copy.deepcopy(self.__dict__))
        return other


publish(CloneFailsAfterEnqueue)
