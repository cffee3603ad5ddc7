"""Keeps the shift that is to be stored in the class. So each plugin stores the newest plugin's shift."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, PARAMETERS, Affine, AffineCreator, publish

BREAKS = "CRE-013"

PLUGIN_CASES = AFFINE_CASES


class ShiftOfTheNewestStored(Affine):
    newest = 0

    def serialize(self):
        return PARAMETERS.pack(self.factor, self.newest, self.sign)


class NewestCreator(AffineCreator):
    def create_plugin(self, name, field_collection):
        plugin = super().create_plugin(name, field_collection)
        if plugin is not None:
            ShiftOfTheNewestStored.newest = plugin.shift
        return plugin


publish(ShiftOfTheNewestStored, NewestCreator)
