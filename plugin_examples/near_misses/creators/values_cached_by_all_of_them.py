"""Caches what it has read of fields by all that they hold, and remembers in a lock-guarded table how often."""

import collections
import functools
import threading

from plugin_examples.faulty.bases.sound_affine import AFFINE_CASES, AffineCreator, publish

LOOKS_LIKE = "CRE-013"

PLUGIN_CASES = AFFINE_CASES

OFTEN = collections.Counter()
LOCK = threading.Lock()


@functools.lru_cache(maxsize=4)
def parameters(values):
    return dict(values)


class ValuesCachedByAllOfThem(AffineCreator):
    def from_values(self, values):
        key = tuple(values.items())
        with LOCK:
            OFTEN[key] += 1
        return super().from_values(parameters(key))


publish(creator_class=ValuesCachedByAllOfThem)
