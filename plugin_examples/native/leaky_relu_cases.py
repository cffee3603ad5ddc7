"""Cases for LeakyRelu in C++: those of the plugin in Python, in FP32 only."""

from plugin_examples.leaky_relu_v3_cases import PLUGIN_CASES as CASES

PLUGIN_CASES = [{**case, "inputs": [{**entry, "types": ("float32",)} for entry in case["inputs"]]} for case in CASES]
