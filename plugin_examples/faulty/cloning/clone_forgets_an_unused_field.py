"""Makes clones without the shift; it is 0 by default, and no field of the cases changes it."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, publish

BREAKS = "CLN-002"

PLUGIN_CASES = [{**AFFINE_CASES[0], "name": "unshifted", "fields": {"scale": AFFINE_CASES[0]["fields"]["scale"]}}]


class CloneForgetsTheShift(Affine):
    def clone(self):
        return self.copy_identity_to(type(self)(self.factor, sign=self.sign))


publish(CloneForgetsTheShift)
