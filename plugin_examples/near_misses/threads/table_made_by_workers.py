"""Makes its table in worker threads while it is configured, and waits for them."""

import concurrent.futures

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "THR-003"

PLUGIN_CASES = SCALE_CASES


class WorkedOut(Scale):
    def configure_plugin(self, inputs, outputs):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            self.table = list(pool.map(float, [self.factor] * 4))


publish(WorkedOut)
