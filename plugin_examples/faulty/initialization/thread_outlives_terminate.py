"""Starts a thread when it first runs, and stops it in ``destroy``: after ``terminate`` it still runs."""

import threading

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "INI-009"
FIXED = {
    ("def destroy(self):\n    if self.thread is not None:\n        self.stop.set()\n        self.thread.join()"): (
        "def terminate(self):\n    if self.thread is not None:\n        self.stop.set()\n        self.thread.join()"
    ),
}

PLUGIN_CASES = SCALE_CASES


class ThreadOutlivesTerminate(Scale):
    thread = None

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)
        if self.thread is None:
            self.stop = threading.Event()
            self.thread = threading.Thread(target=self.stop.wait, daemon=True)  # would report statistics
            self.thread.start()

    def destroy(self):
        if self.thread is not None:
            self.stop.set()
            self.thread.join()
            self.thread = None


publish(ThreadOutlivesTerminate)
