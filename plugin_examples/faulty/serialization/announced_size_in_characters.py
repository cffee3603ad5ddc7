"""Announces the number of characters of its data; once it is configured, some of them take several bytes."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "SER-003"

PLUGIN_CASES = SCALE_CASES


class AnnouncedSizeInCharacters(Scale):
    largest = ""

    def configure_plugin(self, inputs, outputs):
        self.largest = "→".join(map(str, inputs[0].max))

    def text(self):
        return f"{self.factor!r};{self.largest};"

    def get_serialization_size(self):
        return len(self.text())

    def serialize(self):
        return self.text().encode()

    def clone(self):
        copy = super().clone()
        copy.largest = self.largest
        return copy


class AnnouncedSizeInCharactersCreator(ScaleCreator):
    def deserialize_plugin(self, name, data):
        factor, largest, nothing = data.decode().split(";")
        plugin = self.make(float(factor)) if not nothing else None
        if plugin is not None:
            plugin.largest = largest
        return plugin


publish(AnnouncedSizeInCharacters, AnnouncedSizeInCharactersCreator)
