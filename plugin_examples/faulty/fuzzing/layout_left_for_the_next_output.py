"""Caches the last answer by all types and the layout at ``pos``, but not by the layouts before ``pos``."""

from plugin_examples.faulty.bases.sound_layouts import LAYOUTS_CASES, Layouts
from plugin_examples.faulty.bases.sound_scale import publish

BREAKS = "FUZ-005"

PLUGIN_CASES = LAYOUTS_CASES


class KeptByTypes(Layouts):
    last = None, False

    def supports_format_combination(self, pos, in_out, num_inputs):
        asked, last = ([each.type for each in in_out[: pos + 1]], in_out[pos].format), self.last
        answer = last[1] if last[0] == asked else self.takes(pos, in_out, num_inputs)
        self.last = asked, answer
        return answer

    def takes(self, pos, in_out, num_inputs):
        same = in_out[pos].format == in_out[0].format
        return same and super().supports_format_combination(pos, in_out, num_inputs)


publish(KeptByTypes)
