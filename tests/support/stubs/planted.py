"""Plugins that die, hang or raise at some shapes only, such as no fixed sample has."""

import ctypes
import os
import time

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator

WIDE = {"dims": ("N", 3, "W"), "min": (1, 3, 1), "opt": (8, 3, 32), "max": (16, 3, 64)}


class Planted(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.plugin_type = type(self).__name__

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        rows, _, columns = input_desc[0].dims
        if rows >= 5 and columns % 16 == 7:
            self.misbehave(columns)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


class Segfaults(Planted):
    def misbehave(self, _):
        ctypes.string_at(0)


class Aborts(Planted):
    def misbehave(self, _):
        os.abort()


class Hangs(Planted):
    def misbehave(self, _):
        time.sleep(3600)


class Raises(Planted):
    def misbehave(self, columns):
        raise ValueError(f"no {columns}")


class Creator(ScaleCreator):
    def __init__(self, plugin_class):
        super().__init__()
        self.name = plugin_class.__name__
        self.plugin_class = plugin_class


PLUGINS = (Segfaults, Aborts, Hangs, Raises)
PLUGIN_CASES = [{**SCALE_CASES[0], "plugin": each.__name__, "name": "wide", "inputs": [WIDE]} for each in PLUGINS]
for each in PLUGINS:
    trt.get_plugin_registry().register_creator(Creator(each), "")
