"""Reads its input on the host through its address, which is a device address."""

import ctypes

import cupy as cp
import numpy as np
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

BREAKS = "ENQ-010"

PLUGIN_CASES = SCALE_CASES


class ReadByTheHost(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        count = trt.volume(input_desc[0].dims)
        if count == 0:
            return
        dtype = np.dtype(trt.nptype(input_desc[0].type))
        x = np.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(inputs[0]), dtype)
        with cp.cuda.ExternalStream(stream):
            y = device_array(output_desc[0], outputs[0])
            y.ravel().set(x * dtype.type(self.factor))


publish(ReadByTheHost)
