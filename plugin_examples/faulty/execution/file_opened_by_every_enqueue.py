"""Opens a file for its trace in every call, and leaves it open."""

import os

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-017"
ALSO = {"DST-001": "the files are still open when the plugin is destroyed"}

PLUGIN_CASES = SCALE_CASES


class FileOpenedByEveryEnqueue(Scale):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        trace = os.open(os.devnull, os.O_WRONLY)
        os.write(trace, b"enqueue\n")
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(FileOpenedByEveryEnqueue)
