"""Destroys the stream of its worker in ``destroy``. The worker's ``__del__`` does it again and hides the error."""

import contextlib

import cupy as cp

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

BREAKS = "DST-002"
FIXED = {"self.worker.end()": "pass  # __del__ destroys the stream"}

PLUGIN_CASES = SCALE_CASES


class Worker:
    def __init__(self):
        self.stream = cp.cuda.runtime.streamCreate()

    def end(self):
        with contextlib.suppress(Exception):
            cp.cuda.runtime.streamDestroy(self.stream)

    def __del__(self):
        self.end()


class StreamDestroyedTwice(Scale):
    worker = None

    def attach_to_context(self, context):
        attached = self.clone()
        attached.worker = Worker()
        return attached

    def destroy(self):
        if self.worker is not None:
            self.worker.end()
            self.worker = None


publish(StreamDestroyedTwice)
