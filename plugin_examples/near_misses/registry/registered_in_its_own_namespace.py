"""Is in a separate namespace, which the creator and its registration both take from a constant."""

import tensorrt as trt

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, ScaleCreator

LOOKS_LIKE = "REG-002"

NAMESPACE = "acme.ops"
PLUGIN_CASES = [{**case, "namespace": NAMESPACE} for case in SCALE_CASES]


class AcmeCreator(ScaleCreator):
    def __init__(self):
        super().__init__()
        self.plugin_namespace = NAMESPACE


if not trt.get_plugin_registry().register_creator(AcmeCreator(), NAMESPACE):
    raise RuntimeError("another creator of Scale is registered")
