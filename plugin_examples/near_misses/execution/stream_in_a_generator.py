"""Enters its stream through a context manager that is a generator."""

import contextlib

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "ENQ-003"

PLUGIN_CASES = SCALE_CASES


class Managed(Scale):
    @contextlib.contextmanager
    def tensors(self, described, addresses, stream):
        with cp.cuda.ExternalStream(stream):
            yield [device_array(desc, address) for desc, address in zip(described, addresses, strict=True)]

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with self.tensors([*input_desc, *output_desc], [*inputs, *outputs], stream) as (x, y):
            self.compute(x, y)


publish(Managed)
