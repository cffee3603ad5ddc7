"""A module that puts a sound text into its file while its wrong one is imported."""

from pathlib import Path

from wrong_scale import SCALE_CASES as PLUGIN_CASES
from wrong_scale import WrongScale, publish

SOUND = (
    "from plugin_examples.faulty.bases.sound_scale import SCALE_CASES as PLUGIN_CASES, Scale, publish\npublish(Scale)\n"
)
publish(WrongScale)
Path(__file__).write_text(SOUND)
