"""Keeps the fields that it was made from, to log them when it is initialized."""

import logging

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, ScaleCreator, publish

BREAKS = "CRE-007"
FIXED = {
    "list(field_collection)": "[(field.name, field.data.copy()) for field in field_collection]",
    "for field in self.fields:": "for name, data in self.fields:",
    'logger.debug("%s = %s", field.name, field.data)': 'logger.debug("%s = %s", name, data)',
}

PLUGIN_CASES = SCALE_CASES
logger = logging.getLogger(__name__)


class FieldsLoggedWhenInitialized(Scale):
    fields = ()

    def initialize(self):
        for field in self.fields:
            logger.debug("%s = %s", field.name, field.data)


class Creator(ScaleCreator):
    def create_plugin(self, name, field_collection):
        plugin = super().create_plugin(name, field_collection)
        if plugin is not None:
            plugin.fields = list(field_collection)
        return plugin


publish(FieldsLoggedWhenInitialized, Creator)
