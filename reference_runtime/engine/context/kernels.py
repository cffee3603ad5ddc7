"""Get the kernel of a decorated plugin that is compiled ahead of time, and launch it.

Theory. In a build, the plugin gets a tactic. Then the builder asks it for its kernel's launch parameters and extra
arguments: expressions in the dimensions of the inputs. Last the builder asks for the kernel itself. The engine stores
all three, and needs neither the plugin nor its creator to run. The kernel gets the addresses of the inputs, the extra
arguments, and the addresses of the outputs. An empty grid is not launched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.bound.bound_class import state
from reference_runtime.bound.errors import ExpressionError
from reference_runtime.calling.callbacks.quick import CALLBACKS
from reference_runtime.calling.callbacks.v2 import NoValue, invoke
from reference_runtime.calling.gate.records import CallOutcome, FailureKind
from reference_runtime.calling.lifecycle.quick import QUICK
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.devices.base import Pointer
from reference_runtime.plan import KernelPlan
from reference_runtime.shapes import expression_nodes, expressions, symbolic_arguments
from reference_runtime.values.formats import numpy_type
from reference_runtime.values.refusals import Reason, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.devices.base import Device
    from reference_runtime.shapes.expression_nodes import Plain
    from reference_runtime.values.descriptions import Bounds, Description, Extents, Range

_PARAMETERS: Final = ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_mem")
_GRID: Final = 3
_MOST_THREADS: Final = 1024
_MOST_BLOCKS: Final = ((1 << 31) - 1, (1 << 16) - 1, (1 << 16) - 1)


def compiled(gate: Gate, build: Any, in_out: Sequence[Bounds], num_inputs: int) -> KernelPlan | None:
    """Return the kernel of a plugin that has its tactic; None if a callback fails or leaves an expression out."""
    builder = expressions.new_builder()
    symbols = [expressions.input_dims(builder, place, each.desc.dims) for place, each in enumerate(in_out[:num_inputs])]
    parameters, arguments = symbolic_arguments.new_launch_params(), symbolic_arguments.new_arguments()
    shown = [tensor.fresh() for tensor in in_out]
    gate.advance(build, Call.GET_LAUNCH_PARAMS, QUICK)
    callback_arguments = symbols, shown, num_inputs, parameters, arguments, builder
    done = invoke(gate, build, Call.GET_LAUNCH_PARAMS, *callback_arguments, table=CALLBACKS)
    builder.close()
    if isinstance(done, NoValue):
        return None
    launched = [state(parameters).get(name) for name in _PARAMETERS]
    numbers = [_plain(each) for each in (*launched, *(arguments[place] for place in range(len(arguments))))]
    if None in numbers:
        what = "left a launch parameter or an extra argument without an expression"
        becomes = CALLBACKS[Call.GET_LAUNCH_PARAMS].becomes
        gate.fail(build, Call.GET_LAUNCH_PARAMS.value, FailureKind.RETURNED, what, becomes, outcome=CallOutcome())
        return None
    gate.advance(build, Call.GET_KERNEL, QUICK)
    descs = [tensor.desc.fresh() for tensor in in_out]
    kernel = invoke(gate, build, Call.GET_KERNEL, descs[:num_inputs], descs[num_inputs:], table=CALLBACKS)
    if isinstance(kernel, NoValue):
        return None
    count = len(_PARAMETERS)
    return KernelPlan(kernel[0], kernel[1], tuple(numbers[:count]), tuple(numbers[count:]))


def _plain(symbol: Any) -> Plain | None:
    """Return the expression of a symbolic number as JSON data; None if it has no expression."""
    expression = None if symbol is None else symbolic_arguments.content(symbol)[2]
    if not isinstance(expression, expressions.IDimensionExpr):
        return None
    return expression_nodes.to_plain(expressions.node_of(expression))


def launch(
    device: Device,
    kernel: KernelPlan,
    described: Sequence[Description],
    addresses: Sequence[int],
    num_inputs: int,
    *,
    stream: int,
) -> None:
    """Launch a kernel for the current dimensions, or raise `Refused` if its grid, block or memory is impossible."""
    extents = [desc.dims for desc in described[:num_inputs]]
    sizes = [_value(plain, extents) for plain in kernel.launch]
    if 0 in sizes[:_GRID]:
        return
    _check(kernel.name, sizes)
    pointers = [
        Pointer(address, numpy_type(desc.type), constant=place < num_inputs)
        for place, (address, desc) in enumerate(zip(addresses, described, strict=True))
    ]
    numbers = [np.int32(_value(plain, extents)) for plain in kernel.arguments]
    arguments = [*pointers[:num_inputs], *numbers, *pointers[num_inputs:]]
    device.launch(kernel.image, kernel.name, sizes, arguments, stream=stream)


class CompiledCopy:
    """A context's copy of a plugin that was compiled ahead of time: its kernel, and no Python."""

    watches_addresses = False

    def __init__(self, device: Device, kernel: KernelPlan) -> None:
        self._device = device
        self._kernel = kernel

    def prepare(self, descs: Sequence[Description], num_inputs: int, ranges: Sequence[Range]) -> None:
        """Do nothing: `launch` computes the launch parameters from the current dimensions."""

    def enqueue(
        self, descs: Sequence[Description], addresses: Sequence[int], num_inputs: int, _workspace: int, stream: int
    ) -> bool:
        """Launch the kernel."""
        launch(self._device, self._kernel, descs, addresses, num_inputs, stream=stream)
        return True

    def destroy(self) -> None:
        """Do nothing: this copy has no plugin object."""


def _value(plain: Plain, extents: Sequence[Extents]) -> int:
    try:
        return expression_nodes.evaluate(expression_nodes.from_plain(plain), extents)
    except ExpressionError as error:
        raise Refused(f"a launch parameter has no value: {error}", Reason.INTERNAL) from error


def _check(name: str, sizes: Sequence[int]) -> None:
    grid, block = sizes[:_GRID], sizes[_GRID : 2 * _GRID]
    fits = all(0 < count <= most for count, most in zip(grid, _MOST_BLOCKS, strict=True))
    if not fits or min(block) < 1 or int(np.prod(block)) > _MOST_THREADS or sizes[-1] < 0:
        raise Refused(
            f"the kernel {name!r} cannot launch a grid of {list(grid)}, blocks of {list(block)} threads and "
            f"{sizes[-1]} bytes of shared memory",
            Reason.INTERNAL,
        )
