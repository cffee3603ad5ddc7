"""A builder's use of a timing cache: the best tactic for a layer and a combination.

Theory. The key has the parts that TensorRT's documents name. These are the plugin's identity, its ``timing_cache_id``,
and the types, formats, scales and dimensions of its inputs and outputs. A plugin without an id is never cached. The
time itself has no meaning here: it is the same for all tactics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from reference_runtime.calling.trampolines import v3
from reference_runtime.plan.timing_cache import Timing, key_of
from reference_runtime.values.enums_building import BuilderFlag
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from reference_runtime.builder.formats import Combination
    from reference_runtime.builder.work import Work
    from reference_runtime.network.graph.graph_parts import Layer
    from reference_runtime.plan.timing_cache import Timings

MILLISECONDS: Final = 1.0
"""The stored time of each tactic: no time is measured."""

_UINT64: Final = (1 << 64) - 1


class LayerCache(Struct, frozen=True):
    """The part of a timing cache that belongs to one layer; ``must_hit`` refuses a missing entry."""

    timings: Timings
    identity: tuple[Any, ...]
    layer: str
    must_hit: bool

    def tactic(self, combination: Combination) -> int | None:
        """Return the best tactic for a combination, or None if it was never timed."""
        entry = self.timings.lookup(self._key(combination))
        if entry is None and self.must_hit:
            why = f"{self.layer}: a combination is not in the timing cache, and ERROR_ON_TIMING_CACHE_MISS is set"
            raise Refused(why, Reason.NO_IMPLEMENTATION)
        if entry is None:
            return None
        # the cache stores the plugin's signed tactic as an unsigned number
        return entry.tactic - (1 << 64) if entry.tactic >> 63 else entry.tactic

    def store(self, combination: Combination, tactic: int) -> None:
        """Store the best tactic for a combination."""
        self.timings.store(self._key(combination), Timing(tactic & _UINT64, MILLISECONDS))

    def _key(self, combination: Combination) -> bytes:
        described = [(desc.dims, int(desc.type), int(desc.format), desc.scale) for desc in combination]
        return key_of(self.identity, described)


def cache_of(work: Work, layer: Layer) -> LayerCache | None:
    """Return the part of the configuration's timing cache for a layer; None if its timings are not cached."""
    gate, capabilities = work.graph.gate, work.copies[layer].capabilities
    suffix = v3.timing_cache_id(gate, capabilities.build)
    timings = work.timings
    if suffix is None or timings is None:
        return None
    names = (v3.plugin_name, v3.plugin_version, v3.plugin_namespace)
    ranges = [[point.ranges[tensor] for tensor in (*layer.inputs, *layer.outputs)] for point in work.points]
    identity = (*(name(gate, capabilities.core) for name in names), suffix, ranges)
    must_hit = BuilderFlag.ERROR_ON_TIMING_CACHE_MISS in work.settings.chosen
    return LayerCache(timings, identity, layer.name, must_hit)
