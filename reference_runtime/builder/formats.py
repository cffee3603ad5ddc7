"""Negotiation: which combinations of types and formats a plugin takes, found by the position-indexed query.

Theory. TensorRT settles a layer's tensors from the first input to the last output. It asks about the tensor at ``pos``
while those before it have what the plugin has already accepted and those after it are not described yet; here they
hold a type and a format that do not exist. What is accepted is kept and the next position is tried, so the search is
depth first, and it stops after as many complete combinations as the plugin's limit says (100 for version 2). The order
in which candidates are tried is fixed by no document: seed 0 tries a tensor's own type first and LINEAR first within a
type, other seeds shuffle.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from reference_runtime.calling.gate.gate import Phase
from reference_runtime.calling.trampolines import quick, v2, v3
from reference_runtime.calling.trampolines.of_version_2 import trampolines_of
from reference_runtime.values import formats
from reference_runtime.values.descriptions import Bounds, Description
from reference_runtime.values.precision import offered_types, scale_of
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.network.graph.graph_parts import Tensor
    from reference_runtime.values.descriptions import Extents, Range
    from reference_runtime.values.enums_building import BuilderFlag

__all__ = ["LIMIT", "Combination", "accepted_combinations", "offers", "question_quick", "question_v2", "question_v3"]

LIMIT: Final = 100
"""The number of accepted combinations after which TensorRT stops asking an `IPluginV2DynamicExt`."""

MAX_QUERIES: Final = 100_000
"""The number of questions after which this builder gives up on a plugin that refuses only at the end."""

Combination = tuple[Description, ...]
_INVALID_BOUNDS: Final = Bounds(v2.INVALID, (), (), ())


def offers(tensor: Tensor, dims: Extents, flags: Collection[BuilderFlag], *, strongly_typed: bool) -> list[Description]:
    """Return what a plugin is offered for a tensor, the plainest first.

    A tensor of the application's whose formats are restricted keeps its type, too: it is not reformatted.
    """
    scaled = tensor.dynamic_range is not None
    fixed = strongly_typed or tensor.formats is not None
    types = [tensor.dtype] if fixed else offered_types(tensor.dtype, flags, scaled=scaled)
    return [
        Description(dims, dtype, name, scale_of(dtype, tensor.dynamic_range))
        for dtype, name in formats.candidates(dims, types, tensor.formats)
    ]


def question_v2(gate: Gate, plugin: Any, num_tensors: int, num_inputs: int) -> Callable[[Combination], bool]:
    """Return how a plugin of version 2 is asked about the last tensor of the beginning of a combination."""
    supports = trampolines_of(plugin).supports_format_combination

    def ask(settled: Combination) -> bool:
        in_out = [*settled, *[v2.INVALID] * (num_tensors - len(settled))]
        return bool(supports(gate, plugin, len(settled) - 1, in_out, num_inputs))

    return ask


def question_v3(gate: Gate, build: Any, ranges: Sequence[Range], num_inputs: int) -> Callable[[Combination], bool]:
    """Return how an `IPluginV3OneBuild` is asked; it is shown the bounds of one profile, too."""

    def ask(settled: Combination) -> bool:
        head = [Bounds(desc, *extents) for desc, extents in zip(settled, ranges, strict=False)]
        in_out = [*head, *[_INVALID_BOUNDS] * (len(ranges) - len(head))]
        return v3.supports_format_combination(gate, build, len(head) - 1, in_out, num_inputs)

    return ask


def question_quick(
    gate: Gate, build: Any, ranges: Sequence[Range], num_inputs: int, described: Sequence[Description]
) -> Callable[[Combination], bool]:
    """Return how the answer of a decorated plugin is read; it is asked once, for everything that it takes.

    ``described`` are its tensors as the network has them.
    """
    in_out = [Bounds(desc, *extents) for desc, extents in zip(described, ranges, strict=True)]
    with gate.during(Phase.NEGOTIATION):
        offered = quick.supported_combinations(gate, build, in_out, num_inputs) or []

    def ask(settled: Combination) -> bool:
        head = tuple((desc.type, desc.format) for desc in settled)
        return any(way[: len(head)] == head for way in offered)

    return ask


def accepted_combinations(
    ask: Callable[[Combination], bool], candidates: Sequence[Sequence[Description]], *, limit: int = LIMIT
) -> list[Combination]:
    """Return the combinations that a plugin takes, in the order found; ``candidates`` has a list for each position."""
    search = _Search(ask, candidates, limit)
    search.settle(())
    return search.found


@dataclass
class _Search:
    ask: Callable[[Combination], bool]
    candidates: Sequence[Sequence[Description]]
    limit: int
    found: list[Combination] = field(default_factory=list)
    queries: int = 0

    def settle(self, prefix: Combination) -> None:
        """Try every candidate for the position after ``prefix``, which the plugin has accepted."""
        if len(prefix) == len(self.candidates):
            self.found.append(prefix)
            return
        for candidate in self.candidates[len(prefix)]:
            if len(self.found) >= self.limit:
                return
            if self._accepts((*prefix, candidate)):
                self.settle((*prefix, candidate))

    def _accepts(self, described: Combination) -> bool:
        self.queries += 1
        if self.queries > MAX_QUERIES:
            raise Refused(
                f"{len(self.found)} combinations were found in {MAX_QUERIES} questions", Reason.NO_IMPLEMENTATION
            )
        return self.ask(described)
