"""Cases of ``y = factor * x`` with wide profiles, for witnesses that are wrong at few shapes only.

The corners of these profiles, and the shapes that rules take between them, are none at which they go wrong.
"""

from plugin_examples.faulty.sound_scale import SCALE_CASES

WIDE = {"dims": ("N", 3, "W"), "min": (1, 3, 8), "opt": (8, 3, 32), "max": (16, 3, 128)}

WIDE_CASES = [{**SCALE_CASES[0], "name": "broad", "inputs": [WIDE]}]
