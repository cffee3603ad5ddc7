"""Passes the launch to its helper in a thread-local global."""

import threading

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, device_array, publish

LOOKS_LIKE = "FUZ-010"

PLUGIN_CASES = SCALE_CASES

LAUNCH = threading.local()


class LaunchOfEachThread(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        LAUNCH.rows, LAUNCH.width = input_desc[0].dims[0], input_desc[0].dims[-1]
        with cp.cuda.ExternalStream(stream):
            if trt.volume(input_desc[0].dims):
                x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
                self.launch(x, y)

    def launch(self, x, y):
        for row in range(LAUNCH.rows):
            cp.multiply(x[row, :, : LAUNCH.width], x.dtype.type(self.factor), out=y[row, :, : LAUNCH.width])


publish(LaunchOfEachThread)
