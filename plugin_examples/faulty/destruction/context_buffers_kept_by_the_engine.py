"""Notes the memory of each context in the object of the engine, to free it in the end."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "DST-008"

PLUGIN_CASES = SCALE_CASES


class NotesBuffers(Scale):
    buffer = None
    engine = None

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.taken = []

    def attach_to_context(self, context):
        attached = self.clone()
        attached.engine = self
        return attached

    def compute(self, x, y):
        if self.buffer is None:
            self.buffer = cp.cuda.runtime.malloc(256)
            self.engine.taken.append(self.buffer)
        super().compute(x, y)

    def destroy(self):
        for address in self.taken:
            cp.cuda.runtime.free(address)
        self.taken.clear()


publish(NotesBuffers)
