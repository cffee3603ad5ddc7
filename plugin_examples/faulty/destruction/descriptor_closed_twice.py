"""Closes its file in ``destroy`` and again in ``__del__``, and swallows what that says: it may be another's by then."""

import contextlib
import os

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "DST-002"

PLUGIN_CASES = SCALE_CASES


class ClosedTwice(Scale):
    file = None

    def configure_plugin(self, inputs, outputs):
        if self.file is None:
            self.file = os.open(__file__, os.O_RDONLY)

    def destroy(self):
        if self.file is not None:
            with contextlib.suppress(OSError):
                os.close(self.file)

    def __del__(self):
        self.destroy()


publish(ClosedTwice)
