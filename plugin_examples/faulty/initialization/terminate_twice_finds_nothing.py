"""Deletes in ``terminate`` an object that only the first ``initialize`` makes."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-005"

PLUGIN_CASES = SCALE_CASES


class TerminateTwice(Scale):
    ready = False

    def initialize(self):
        if not self.ready:
            self.timings, self.ready = [], True

    def terminate(self):
        del self.timings


publish(TerminateTwice)
