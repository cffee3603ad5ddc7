"""Computes as many rows as there are columns: if there are more rows, the last rows are never written."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-010"
ALSO = {"ENQ-005": "the rows that are left out keep what was in the buffer"}
FIXED = {"for row in range(min(columns, len(rows))):": "for row in range(len(rows)):"}

PLUGIN_CASES = SCALE_CASES


class RowsCountedByColumns(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            columns = x.shape[-1]
            rows, results = x.reshape(-1, columns), y.reshape(-1, columns)
            for row in range(min(columns, len(rows))):
                cp.multiply(rows[row], x.dtype.type(self.factor), out=results[row])


publish(RowsCountedByColumns)
