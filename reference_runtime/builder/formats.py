"""Find the combinations of types and formats that a plugin accepts, by queries for one position after the other.

Theory. TensorRT settles a layer's tensors from the first input to the last output. In the query for the tensor at
``pos``, the tensors before it have types and formats that the plugin accepted. The tensors after it are not
described yet; here they have a type and a format that do not exist. If the plugin accepts the tensor, the next position
is tried. So the search is depth first, and it stops after the plugin's limit of complete combinations (100 for version
2). No document fixes the order of the candidates. Seed 0 tries a tensor's own type first, and LINEAR first within a
type; other seeds shuffle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from reference_runtime.calling.gate.gate import Phase
from reference_runtime.values import formats
from reference_runtime.values.descriptions import Description
from reference_runtime.values.precision import offered_types, scale_of
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from reference_runtime.builder.work import Copy
    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.values.descriptions import Bounds, Extents
    from reference_runtime.values.enums_building import BuilderFlag

MAX_QUERIES: Final = 100_000
"""The number of questions after which this builder gives up on a plugin that refuses only at the end."""

Combination = tuple[Description, ...]


def offers(tensor: Tensor, dims: Extents, flags: Collection[BuilderFlag], *, strongly_typed: bool) -> list[Description]:
    """Return the types and formats that are offered for a tensor, the plainest first.

    If the application restricted the formats of an input or output, the tensor keeps its type, too.
    """
    scaled = tensor.dynamic_range is not None
    fixed = strongly_typed or tensor.formats is not None
    types = [tensor.dtype] if fixed else offered_types(tensor.dtype, flags, scaled=scaled)
    return [
        Description(dims, dtype, name, scale_of(dtype, tensor.dynamic_range))
        for dtype, name in formats.candidates(dims, types, tensor.formats)
    ]


def question(gate: Gate, copy: Copy, bounds: Sequence[Bounds], num_inputs: int) -> Callable[[Combination], bool]:
    """Return a function that says whether a plugin accepts the last tensor of an incomplete combination.

    ``bounds`` are the layer's tensors as the network has them. A plugin that lists its combinations is queried once,
    and the returned function searches the list.
    """
    interface, capabilities = copy.interface, copy.capabilities
    with gate.during(Phase.NEGOTIATION):
        listed = interface.listed_formats(gate, capabilities, bounds, num_inputs)
    if listed is None:
        return lambda settled: interface.supports(gate, capabilities, settled, bounds, num_inputs)

    def ask(settled: Combination) -> bool:
        head = tuple((desc.type, desc.format) for desc in settled)
        return any(way[: len(head)] == head for way in listed)

    return ask


def accepted_combinations(
    ask: Callable[[Combination], bool], candidates: Sequence[Sequence[Description]], *, limit: int
) -> list[Combination]:
    """Return the combinations that a plugin accepts, in order; ``candidates`` has a list for each position."""
    search = _Search(ask, candidates, limit)
    search.settle(())
    return search.combinations


class _Search(Struct):
    ask: Callable[[Combination], bool]
    candidates: Sequence[Sequence[Description]]
    limit: int
    combinations: list[Combination] = field(default_factory=list)
    queries: int = 0

    def settle(self, prefix: Combination) -> None:
        """Try every candidate for the position after ``prefix``, which the plugin has accepted."""
        if len(prefix) == len(self.candidates):
            self.combinations.append(prefix)
            return
        for candidate in self.candidates[len(prefix)]:
            if len(self.combinations) >= self.limit:
                return
            if self._accepts((*prefix, candidate)):
                self.settle((*prefix, candidate))

    def _accepts(self, described: Combination) -> bool:
        self.queries += 1
        if self.queries > MAX_QUERIES:
            raise Refused(
                f"{len(self.combinations)} combinations were found in {MAX_QUERIES} questions", Reason.NO_IMPLEMENTATION
            )
        return self.ask(described)
