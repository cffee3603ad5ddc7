"""Counts the plugins that it makes in a closure, without a lock."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "THR-009"

PLUGIN_CASES = SCALE_CASES


def counter():
    count = 0

    def step():
        nonlocal count
        count += 1

    return step


class PluginsCounted(Scale):
    step = staticmethod(counter())

    def clone(self):
        self.step()
        return super().clone()


publish(PluginsCounted)
