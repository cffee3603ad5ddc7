"""Frees its device table only in ``destroy``, which TensorRT calls only for plugins of networks and engines."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish
from plugin_examples.faulty.bases.sound_table import DeviceTable

BREAKS = "DST-004"
FIXED = {
    "def destroy(self):\n    self.table.release()": "def __del__(self):\n    self.table.release()",
}

PLUGIN_CASES = SCALE_CASES


class FreedByDestroyOnly(Scale):
    def __init__(self, factor, table=None):
        super().__init__(factor)
        self.table = DeviceTable([factor]) if table is None else table.acquire()

    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, self.table))

    def destroy(self):
        self.table.release()


publish(FreedByDestroyOnly)
