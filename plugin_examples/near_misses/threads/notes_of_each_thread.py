"""Keeps notes for each thread apart, and does not read notes of another thread."""

import threading

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "THR-009"

PLUGIN_CASES = SCALE_CASES


class Noting(Scale):
    notes = threading.local()

    def enqueue(self, input_desc, *rest):
        self.notes.shape = tuple(input_desc[0].dims)
        super().enqueue(input_desc, *rest)


publish(Noting)
