"""Methods whose overloads differ between TensorRT 11 and 10.16: the remaining overloads, or their replacements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference_runtime.bound.overloads import Overload

    Choice = Callable[[Sequence[Overload]], Sequence[Overload]]


def _with(part: str) -> Choice:
    """Return a function that keeps the overloads whose text contains ``part``."""
    return lambda overloads: [overload for overload in overloads if part in overload.text]


def _of_any_creator(overloads: Sequence[Overload]) -> list[Overload]:
    """Keep the overload for any creator, twice, as the genuine bindings list it."""
    return [*_with("IPluginCreatorInterface")(overloads)] * 2


OVERLOADS: Final[dict[str, dict[str, Choice]]] = {
    "INetworkDefinition": {
        "add_dequantize": _with("output_type"),
        "add_quantize": _with("output_type"),
    },
    "IPluginRegistry": {"deregister_creator": _of_any_creator, "register_creator": _of_any_creator},
    "Runtime": {
        "deserialize_cuda_engine": lambda overloads: [each for each in overloads if "IStreamReader)" not in each.text],
    },
}
