"""Looks for a repeated field by comparing each field with its predecessor, also the first field."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "PFD-006"

PLUGIN_CASES = AFFINE_CASES


class Creator(AffineCreator):
    def create_plugin(self, name, field_collection):
        for index in range(len(field_collection)):
            if field_collection[index].name == field_collection[index - 1].name:
                return None
        return super().create_plugin(name, field_collection)


publish(creator_class=Creator)
