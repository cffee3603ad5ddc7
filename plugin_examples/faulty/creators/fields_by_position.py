"""Takes the fields in the order in which it advertises them, and ignores their names."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-006"

PLUGIN_CASES = AFFINE_CASES


class PositionalCreator(AffineCreator):
    def create_plugin(self, name, field_collection):
        advertised = [field.name for field in self.field_names]
        given = [field.name for field in field_collection]
        return super().create_plugin(name, field_collection) if given == advertised[: len(given)] else None


publish(creator_class=PositionalCreator)
