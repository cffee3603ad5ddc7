"""Notes in the cache of all objects that a plan is under way. Another thread takes the note for the plan."""

import cupy as cp

from plugin_examples.faulty.bases.sound_scale import WIDE_CASES, Scale, device_array, publish

BREAKS = "FUZ-010"

PLUGIN_CASES = WIDE_CASES


PLANS = {}


class PlanPromised(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        plan = self.plan_of(tuple(input_desc[0].dims))
        with cp.cuda.ExternalStream(stream):
            x, y = device_array(input_desc[0], inputs[0]), device_array(output_desc[0], outputs[0])
            for place in plan:
                cp.multiply(x[place], x.dtype.type(self.factor), out=y[place])

    def plan_of(self, shape):
        if shape not in PLANS:
            PLANS[shape] = None
            PLANS[shape] = self.make_plan(*shape)
        return PLANS[shape]

    def make_plan(self, batch, rows, width):
        plan = []
        for number in range(batch):
            plan += [(number, row) for row in range(rows)]
        return plan


publish(PlanPromised)
