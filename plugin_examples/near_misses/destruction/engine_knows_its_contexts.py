"""Knows attached objects by weak references and the last object by name, and strikes off destroyed objects."""

import weakref

from plugin_examples.faulty.bases.sound_scale_v3 import SCALE_CASES, Scale, publish

LOOKS_LIKE = "DST-008"

PLUGIN_CASES = SCALE_CASES


class KnowsItsContexts(Scale):
    engine = None

    def __init__(self, *parameters):
        super().__init__(*parameters)
        self.attached, self.living, self.last = weakref.WeakSet(), set(), ()

    def attach_to_context(self, context):
        attached = self.clone()
        attached.engine = self
        self.attached.add(attached)
        self.living.add(id(attached))
        self.last = ("context", self.factor)
        return attached

    def destroy(self):
        if self.engine is not None:
            self.engine.attached.discard(self)
            self.engine.living.discard(id(self))


publish(KnowsItsContexts)
