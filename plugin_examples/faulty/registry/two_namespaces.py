"""Has a creator in the namespace acme and a second creator in none."""

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator
from plugin_examples.faulty.bases.sound_affine import publish as publish_affine
from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "REG-006"

PLUGIN_CASES = [*SCALE_CASES, *({**case, "namespace": "acme"} for case in AFFINE_CASES)]


class AcmeAffineCreator(AffineCreator):
    def __init__(self):
        super().__init__()
        self.plugin_namespace = "acme"


publish(Scale)
publish_affine(creator_class=AcmeAffineCreator)
