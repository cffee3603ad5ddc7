"""Registers its creator when it is run as a script, and not when it is imported."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "REG-007"
FIXED = {'if __name__ == "__main__":\n    publish(Scale, Creator)': "publish(Scale, Creator)"}

PLUGIN_CASES = SCALE_CASES


class Creator(ScaleCreator):
    plugin_class = Scale


if __name__ == "__main__":
    publish(Scale, Creator)
