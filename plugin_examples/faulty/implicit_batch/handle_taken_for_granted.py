"""Requires a handle of cuDNN in attach_to_context, which later versions do not pass."""

from plugin_examples.faulty.bases.sound_batch_add import BATCH_ADD_CASES, BatchAdd, publish

BREAKS = "V2L-009"
FIXED = {
    'if cudnn is None:\n    raise RuntimeError("there is no handle of cuDNN")': (
        "self.cudnn = cudnn  # None: compute without cuDNN"
    ),
}

PLUGIN_CASES = BATCH_ADD_CASES


class HandleTakenForGranted(BatchAdd):
    def attach_to_context(self, cudnn, cublas, allocator):
        if cudnn is None:
            raise RuntimeError("there is no handle of cuDNN")


publish(HandleTakenForGranted)
