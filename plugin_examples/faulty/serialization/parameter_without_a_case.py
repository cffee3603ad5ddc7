"""Stores nothing, and has no case: what its field says gets lost."""

from plugin_examples.faulty.bases.sound_scale import Scale, ScaleCreator, publish

BREAKS = "SER-004"


class Unstored(Scale):
    def __init__(self, factor=2.0):
        super().__init__(factor)

    def serialize(self):
        return b""


class UnstoredCreator(ScaleCreator):
    def create_plugin(self, name, field_collection):
        given = {field.name: self.read_factor(field) for field in field_collection}
        return None if None in given.values() else self.make(given.get("factor", 2.0))

    def deserialize_plugin(self, name, data):
        return None if data else self.make(2.0)


publish(Unstored, UnstoredCreator)
