"""Keeps facts about the last shapes by the whole shape and the type, and drops the oldest of many."""

import collections

from plugin_examples.faulty.bases.sound_columns_v3 import COLUMNS_CASES, Columns
from plugin_examples.faulty.bases.sound_scale_v3 import publish

LOOKS_LIKE = "CFG-009"

PLUGIN_CASES = COLUMNS_CASES

MOST = 2


class ColumnsKeptByWholeShapes(Columns):
    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.known = collections.OrderedDict()

    def on_shape_change(self, inputs, outputs):
        key = tuple(inputs[0].dims), inputs[0].type
        self.columns = self.known.pop(key, key[0][-1])
        self.known[key] = self.columns
        if len(self.known) > MOST:
            self.known.popitem(last=False)


publish(ColumnsKeptByWholeShapes)
