"""The memory of a context: the pieces that its layers need, their lifetimes, and the arena that holds them.

Theory. One arena (`memory_plan`) holds the tensors between layers, copies in another type or layout, and workspaces.
The engine announces the arena's size, which follows from the maximum dimensions of a profile. An execution computes a
new layout from its own dimensions. If the new layout does not fit, it uses the profile's layout. An output that shares
its input's memory has no separate piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from reference_runtime.engine.memory_plan import Need, lay_out
from reference_runtime.values import formats
from reference_runtime.values.enums import TensorIOMode, TensorLocation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference_runtime.devices.base import Arena, Buffer
    from reference_runtime.engine.memory_plan import Layout
    from reference_runtime.plan import LayerPlan, Plan
    from reference_runtime.values.descriptions import Description, Extents

Key = tuple[str, int, int]
"""A piece: ``("tensor", tensor, 0)``, ``("copy", layer, position)`` or ``("workspace", layer, 0)``."""


def is_copied(layer: LayerPlan, position: int, made: Plan) -> bool:
    """Return whether a plugin gets a copy of a tensor, which the engine has elsewhere or in another form."""
    tensor = made.tensors[layer.tensors[position]]
    return tensor.location == TensorLocation.HOST or layer.chosen[position] != tensor.desc


def is_spread(layer: LayerPlan, position: int, made: Plan) -> bool:
    """Return whether the single item of a broadcast tensor is repeated for the whole batch, as the plugin requires."""
    return layer.chosen[position].dims[:1] == (-1,) and made.tensors[layer.tensors[position]].desc.dims[:1] == (1,)


def batch_of(layer: LayerPlan, made: Plan) -> int:
    """Return the position of the first input whose first dimension is the batch; -1 if there is none."""
    positions = (at for at, place in enumerate(layer.inputs) if made.tensors[place].desc.dims[:1] == (-1,))
    return next(positions, -1)


def shares_input(layer: LayerPlan, output: int) -> int | None:
    """Return the position of the input whose memory an output of a plugin shares, or None."""
    aliases = layer.plugin.aliases if layer.plugin is not None else ()
    return aliases[output] if output < len(aliases) and aliases[output] >= 0 else None


class _Use(Struct, frozen=True):
    """A piece of memory: its tensor or number of bytes, and the first and last layer that use it."""

    key: Key
    label: str
    place: int
    desc: Description | None
    nbytes: int
    first: int
    last: int
    batch: int = -1
    """The tensor whose first dimension, the batch, replaces that of the piece's own tensor; -1 for none."""

    def size(self, extents: Sequence[Extents]) -> int:
        """Return the number of bytes for given dimensions of all tensors."""
        if self.desc is None:
            return self.nbytes
        dims = extents[self.place]
        return formats.nbytes(self.desc.sized(dims if self.batch < 0 else (extents[self.batch][0], *dims[1:])))


class Demand:
    """The needs of an engine's layers: the pieces, and their lifetimes."""

    def __init__(self, made: Plan) -> None:
        self._plan = made
        self.homes = _homes(made)
        """For each tensor, the tensor whose memory it uses: itself, unless it shares the memory of an input."""
        self.uses = [*self._tensors(), *self._copies(), *self._workspaces()]
        self.layouts: dict[int, Layout[Key]] = {}
        """The layouts for the maximum dimensions of profiles, computed at the first use."""

    def needs(self, extents: Sequence[Extents]) -> list[Need[Key]]:
        """Return the pieces for given dimensions of all tensors."""
        return [Need(use.key, use.size(extents), use.first, use.last) for use in self.uses]

    def layout(self, extents: Sequence[Extents]) -> Layout[Key]:
        """Return the layout of the pieces for given dimensions of all tensors."""
        return lay_out(self.needs(extents))

    def _tensors(self) -> Iterator[_Use]:
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for index, layer in enumerate(self._plan.layers):
            for place in (*layer.needed, *layer.outputs):
                home = self.homes[place]
                first.setdefault(home, index)
                last[home] = index
        for place, tensor in enumerate(self._plan.tensors):
            inner = tensor.mode == TensorIOMode.NONE and tensor.location == TensorLocation.DEVICE
            if inner and place in first and self.homes[place] == place:
                label = f"tensor {tensor.name!r}"
                yield _Use(("tensor", place, 0), label, place, tensor.desc, 0, first[place], last[place])

    def _copies(self) -> Iterator[_Use]:
        for index, layer in enumerate(self._plan.layers):
            for position, place in enumerate(layer.tensors if layer.plugin is not None else ()):
                output = position - len(layer.inputs)
                shared = output >= 0 and shares_input(layer, output) is not None
                if is_copied(layer, position, self._plan) and not shared:
                    label = f"{layer.name} tensor {position}"
                    spread = is_spread(layer, position, self._plan)
                    batch = layer.inputs[batch_of(layer, self._plan)] if spread else -1
                    key = ("copy", index, position)
                    yield _Use(key, label, place, layer.chosen[position], 0, index, index, batch)

    def _workspaces(self) -> Iterator[_Use]:
        for index, layer in enumerate(self._plan.layers):
            if layer.workspace:
                yield _Use(("workspace", index, 0), "workspace", 0, None, layer.workspace, index, index)


def _homes(made: Plan) -> list[int]:
    homes = list(range(len(made.tensors)))
    for layer in made.layers:
        for output, place in enumerate(layer.outputs):
            shared = shares_input(layer, output)
            if shared is None or made.tensors[place].mode != TensorIOMode.NONE:
                continue
            if not is_copied(layer, shared, made) and not is_copied(layer, len(layer.inputs) + output, made):
                homes[place] = homes[layer.inputs[shared]]
    return homes


class Activations:
    """The pieces of one layout, in an arena, to be lent when their layers run."""

    def __init__(self, arena: Arena | None = None) -> None:
        self._arena = arena
        self._begin: dict[int, list[Buffer]] = {}
        self._end: dict[int, list[Buffer]] = {}
        self._pieces: dict[Key, Buffer] = {}
        self._lent: list[Buffer] = []

    def place(self, demand: Demand, layout: Layout[Key], extents: Sequence[Extents]) -> None:
        """Create the pieces in the arena, at the offsets of a layout."""
        arena = self._hold()
        for use in demand.uses:
            piece = arena.piece(layout.offsets[use.key], use.size(extents), label=use.label)
            self._pieces[use.key] = piece
            self._begin.setdefault(use.first, []).append(piece)
            self._end.setdefault(use.last, []).append(piece)

    def address(self, key: Key) -> int:
        """Return a piece's address; 0 if it has none."""
        piece = self._pieces.get(key)
        return 0 if piece is None else piece.address

    def begin(self, layer: int) -> None:
        """Lend the pieces whose first use is in a layer."""
        for piece in self._begin.get(layer, ()):
            self._hold().lend(piece)
            self._lent.append(piece)

    def end(self, layer: int) -> None:
        """Take back the pieces that no later layer uses."""
        for piece in self._end.get(layer, ()):
            self._hold().take_back(piece)
            self._lent.remove(piece)

    def end_all(self) -> None:
        """Take back everything: the execution is over, or has failed."""
        while self._lent:
            self._hold().take_back(self._lent.pop())

    def _hold(self) -> Arena:
        if self._arena is None:
            raise ValueError("pieces without an arena were asked for")
        return self._arena
