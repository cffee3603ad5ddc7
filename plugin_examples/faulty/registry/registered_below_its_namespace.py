"""Registers its creator in the namespace acme.ops, although plugin_namespace is acme."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, ScaleCreator

BREAKS = "REG-002"
FIXED = {
    'if not trt.get_plugin_registry().register_creator(AcmeCreator(), "acme.ops"):': (
        'if not trt.get_plugin_registry().register_creator(AcmeCreator(), "acme"):'
    ),
}

PLUGIN_CASES = [{**case, "namespace": "acme"} for case in SCALE_CASES]


class AcmeCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.plugin_namespace = "acme"


if not trt.get_plugin_registry().register_creator(AcmeCreator(), "acme.ops"):
    raise RuntimeError("another creator of Scale is registered")
