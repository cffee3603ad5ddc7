"""Counts in a module global how many objects are initialized, and frees the table that they share with the last."""

import cupy as cp
import numpy as np

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "THR-005"

PLUGIN_CASES = SCALE_CASES


class Shared:
    users = 0
    table = None


class CountedUsers(Scale):
    def initialize(self):
        users = Shared.users
        if Shared.table is None:
            Shared.table = cp.asarray(np.ones(1, np.float32))
        Shared.users = users + 1

    def terminate(self):
        users = Shared.users - 1
        if users == 0:
            Shared.table = None
        Shared.users = users

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        if Shared.table is None:
            raise RuntimeError("the table is gone")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(CountedUsers)
