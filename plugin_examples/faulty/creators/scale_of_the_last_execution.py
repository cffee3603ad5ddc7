"""Stores the shift of its last execution, which the creator then uses as the default."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, Affine, AffineCreator, publish

BREAKS = "CRE-013"

PLUGIN_CASES = AFFINE_CASES

RUN = {}


class TellsItsShift(Affine):
    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        RUN["shift"] = self.shift
        super().enqueue(input_desc, output_desc, inputs, outputs, workspace, stream)


class GoesOn(AffineCreator):
    def from_values(self, values):
        return super().from_values({**RUN, **values})


publish(TellsItsShift, GoesOn)
