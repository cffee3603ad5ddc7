"""Writes its parameters to a temporary file, and serializes the file's path."""

import json
import os
import tempfile
from pathlib import Path

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-006"

PLUGIN_CASES = SCALE_CASES


class ParametersInATemporaryFile(Scale):
    def serialize(self):
        path = Path(tempfile.gettempdir(), f"scale-{os.getuid()}-{self.factor!r}.json")
        path.write_text(json.dumps({"factor": self.factor}))
        return os.fsencode(path)


class ParametersInATemporaryFileCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        return self.make(json.loads(Path(os.fsdecode(data)).read_text())["factor"])


publish(ParametersInATemporaryFile, ParametersInATemporaryFileCreator)
