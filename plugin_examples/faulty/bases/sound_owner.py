"""A sound plugin for witnesses to build upon: ``y = factor * x``; each configured object owns device memory.

The first ``configure_plugin`` allocates the memory; ``destroy`` or Python's finalisation frees it, the first of the
two. It registers nothing when it is imported.
"""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import Scale

NBYTES = 64


class Owner(Scale):
    memory = None

    def configure_plugin(self, inputs, outputs):
        if self.memory is None:
            self.memory = cp.cuda.runtime.malloc(NBYTES)

    def release(self):
        if self.memory is not None:
            cp.cuda.runtime.free(self.memory)
            self.memory = None

    def destroy(self):
        self.release()

    def __del__(self):
        self.release()
