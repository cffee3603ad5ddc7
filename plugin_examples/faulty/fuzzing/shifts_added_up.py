"""Adds up all fields ``shift`` of the collection, so a repeated field counts twice."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "FUZ-012"

PLUGIN_CASES = AFFINE_CASES


class AddingCreator(AffineCreator):
    def create_plugin(self, name, field_collection):
        values = {}
        for field in field_collection:
            value = self.read(field)
            if field.name == "shift" and value is not None:
                value += values.get("shift", 0)
            values[field.name] = value
        return self.from_values(values)


publish(creator_class=AddingCreator)
