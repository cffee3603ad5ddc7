"""Call the callbacks of an IPluginResource as the registry in C++ does.

The bindings report every release as a failure, even if the method returned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from reference_runtime.calling.callbacks.v2 import Callback, invoke, made_by, pointer
from reference_runtime.calling.gate.records import Part
from reference_runtime.calling.lifecycle.table import Call
from reference_runtime.interfaces.resources import IPluginResource

if TYPE_CHECKING:
    from reference_runtime.calling.gate.gate import Gate

FAILURE: Final = -1

CALLBACKS: Final = {
    Call.CLONE: Callback(
        "TensorRT has no resource to share",
        pointer(IPluginResource),
        "nvinfer1::IPluginResource",
        thrown=True,
        part=Part.RESOURCE,
    ),
    Call.RELEASE: Callback("TensorRT lets go of a resource that may not be released", thrown=True, part=Part.RESOURCE),
}


def clone(gate: Gate, resource: object) -> Any | None:
    """Return the copy that the registry keeps, or None."""
    return made_by(gate, resource, Call.CLONE, table=CALLBACKS)


def release(gate: Gate, resource: object) -> int:
    """Call ``release`` of the registry's copy, and return -1, as the bindings do whether or not it succeeded."""
    invoke(gate, resource, Call.RELEASE, table=CALLBACKS)
    return FAILURE
