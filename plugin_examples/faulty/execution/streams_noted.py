"""Notes the stream of each execution in a list, for a report that it never makes."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "ENQ-017"

PLUGIN_CASES = SCALE_CASES


class StreamsNoted(Scale):
    def __init__(self, factor):
        super().__init__(factor)
        self.streams = []

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        self.streams.append(stream)
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


publish(StreamsNoted)
