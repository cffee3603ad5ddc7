"""Caches the values of fields by their names, and does not read other values under the same names."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

BREAKS = "CRE-013"

PLUGIN_CASES = AFFINE_CASES

READ = {}


class ValuesCachedByTheirNames(AffineCreator):
    def from_values(self, values):
        return super().from_values(READ.setdefault(tuple(sorted(values)), values))


publish(creator_class=ValuesCachedByTheirNames)
