"""Computes with a constant that the creator stores in a module's table only when it makes plugins for networks."""

import cupy as cp
import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, device_array, publish

BREAKS = "ENQ-021"

PLUGIN_CASES = SCALE_CASES

CONSTANTS = {}


class ConstantsOfTheCreator(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if trt.volume(input_desc[0].dims) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            cp.multiply(x, x.dtype.type(CONSTANTS[self.factor]), out=y)


class TableCreator(ScaleCreator):
    def create_plugin(self, name, field_collection):
        plugin = super().create_plugin(name, field_collection)
        if plugin is not None:
            CONSTANTS[plugin.factor] = plugin.factor
        return plugin


publish(ConstantsOfTheCreator, TableCreator)
