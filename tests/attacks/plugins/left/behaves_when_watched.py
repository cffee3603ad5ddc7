"""What is left: a plugin that looks who runs it, and is right only where it is judged."""

import sys

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

from plugin_examples.faulty.bases.sound_scale import Scale

publish(Scale if "harness" in sys.modules else WrongScale)
