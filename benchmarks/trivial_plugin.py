"""A plugin with little work (``y = factor * x``), for benchmarks of the harness."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

PLUGIN_CASES = [
    {**SCALE_CASES[0], "inputs": [{"dims": ("N", "C", "W"), "min": (1, 1, 1), "opt": (8, 3, 32), "max": (16, 64, 128)}]}
]

publish(Scale)
