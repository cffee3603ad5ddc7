"""Has a lock in each object, and holds it while it runs or is prepared."""

import threading

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "THR-003"

PLUGIN_CASES = SCALE_CASES


class Locked(Scale):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.lock = threading.RLock()

    def on_shape_change(self, inputs, outputs):
        with self.lock:
            super().on_shape_change(inputs, outputs)

    def enqueue(self, *arguments):
        with self.lock:
            super().enqueue(*arguments)


publish(Locked)
