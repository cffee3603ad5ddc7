"""Query a decorated plugin's format combinations: from C++ to Python and back.

Theory. C++ asks for the number of combinations, then for the combinations. The bindings call the Python method both
times, but return the first result for both queries. They do not catch an exception in the second call, which ends the
process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.bound import bound_class
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.callbacks.quick import CALLBACKS
from reference_runtime.calling.callbacks.v2 import NoValue, invoke
from reference_runtime.calling.gate.records import CallOutcome, FailureKind
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.quick import dispatched_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference_runtime.calling.gate.gate import Gate
    from reference_runtime.values.descriptions import Bounds
    from reference_runtime.values.descriptors import PluginTensorDesc
    from reference_runtime.values.enums import DataType, TensorFormat

FAILURE: Final = -1
_COMBINATIONS: Final = "_counted_combinations"
_METHOD: Final = Call.GET_SUPPORTED_FORMAT_COMBINATIONS
_BECOMES: Final = CALLBACKS[_METHOD].becomes


def count_format_combinations(gate: Gate, build: Any, in_out: Sequence[Bounds], num_inputs: int) -> int:
    """Return the number of combinations, which are kept for the next `fetch_format_combinations`; -1 is a failure."""
    target = dispatched_to(build)
    descriptions = invoke(gate, target, _METHOD, _fresh(in_out), num_inputs, table=CALLBACKS)
    if isinstance(descriptions, NoValue):
        return FAILURE
    bound_class.state(build)[_COMBINATIONS] = descriptions
    if len(descriptions) % len(in_out) == 0:
        return len(descriptions) // len(in_out)
    complaint = "Number of supported format combinations not a multiple of number of IO."
    gate.say(f"[ERROR] Exception thrown from {_METHOD.value}() ValueError: {complaint}")
    what = f"returned {len(descriptions)} descriptions, which is no multiple of {len(in_out)} inputs and outputs"
    gate.fail(target, _METHOD.value, FailureKind.RETURNED, what, _BECOMES, outcome=CallOutcome())
    return FAILURE


def fetch_format_combinations(
    gate: Gate, build: Any, in_out: Sequence[Bounds], num_inputs: int
) -> list[PluginTensorDesc] | None:
    """Return the combinations that were counted, or None if they were not.

    The plugin's method runs a second time, and its second result is dropped.

    Raises:
        NativeCrash: The second call raised.
    """
    target = dispatched_to(build)
    outcome = gate.call(target, _METHOD.value, _fresh(in_out), num_inputs)
    if outcome.error is not None:
        how = f"raised {type(outcome.error).__name__} when it was called for the second time"
        gate.fail(target, _METHOD.value, FailureKind.RAISED, how, "the genuine bindings abort", outcome=outcome)
        raise NativeCrash(
            f"{_METHOD.value} of {gate.name_of(target)} {how}: the genuine bindings abort here."
        ) from outcome.error
    combinations: list[PluginTensorDesc] | None = bound_class.state(build).pop(_COMBINATIONS, None)
    if combinations is None:
        complaint = "Internal error. getSupportedFormatCombinations() called before getNbSupportedFormatCombinations()."
        gate.say(f"[ERROR] Exception thrown from {_METHOD.value}() RuntimeError: {complaint}")
    return combinations


def supported_combinations(
    gate: Gate, build: Any, in_out: Sequence[Bounds], num_inputs: int
) -> list[tuple[tuple[DataType, TensorFormat], ...]] | None:
    """Return the types and formats of all tensors, one row for each combination; None after a failure."""
    if count_format_combinations(gate, build, in_out, num_inputs) < 0:
        return None
    pairs = [(desc.type, desc.format) for desc in fetch_format_combinations(gate, build, in_out, num_inputs) or ()]
    width = max(len(in_out), 1)
    return [tuple(pairs[place : place + width]) for place in range(0, len(pairs), width)]


def _fresh(in_out: Sequence[Bounds]) -> list[Any]:
    return [tensor.fresh() for tensor in in_out]
