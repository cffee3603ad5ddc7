"""Keeps the shapes that it was configured with, and counts an item's elements from them when it is stored."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_batch_scale import BATCH_SCALE_CASES, BatchScale, publish

BREAKS = "CFG-015"

PLUGIN_CASES = BATCH_SCALE_CASES


class KeepsShapes(BatchScale):
    shape = None

    def configure_with_format(self, input_shapes, output_shapes, *others):
        super().configure_with_format(input_shapes, output_shapes, *others)
        self.shape = input_shapes[0]

    def serialize(self):
        if self.shape is not None:
            self.elements = trt.volume(self.shape)
        return super().serialize()

    def copy_to(self, other):
        other.shape = self.shape
        return super().copy_to(other)


publish(KeepsShapes)
