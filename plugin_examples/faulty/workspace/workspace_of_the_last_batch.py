"""Returns the workspace size of the last batch, although the next batch may be larger."""

import cupy as cp

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "WSP-009"
FIXED = {
    "return self.last_batch * self.elements * 4": "return max_batch_size * self.elements * 4",
}

PLUGIN_CASES = BATCH_SCALE_CASES


class WorkspaceOfTheLastBatch(BatchScale):
    last_batch = 1

    def get_workspace_size(self, max_batch_size):
        return self.last_batch * self.elements * 4

    def execute_async(self, batch_size, inputs, outputs, workspace, stream_handle):
        self.last_batch = batch_size
        with cp.cuda.ExternalStream(stream_handle):
            x, scratch = self.items(inputs[0], batch_size), self.items(workspace, batch_size)
            cp.multiply(x, x.dtype.type(self.factor), out=scratch)
            cp.copyto(self.items(outputs[0], batch_size), scratch)
        return 0


publish(WorkspaceOfTheLastBatch)
