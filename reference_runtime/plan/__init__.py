"""The serialized engine: its content, as values (`records`), and its bytes.

Theory. A plan is deterministic: the same network and the same choices give the same bytes, and one plan has one form. A
container (`container`) holds metadata and blobs between a header and a checksum; the metadata (`metadata`) are JSON
whose every value has one type, one range and one spelling. The reader never evaluates or unpickles anything. It checks
every length against a limit and against the number of bytes. The checksum detects damage. The reader writes the content
again and must get the same text; and the parts must fit together (`consistency`). Every error is a `PlanError`. Reading
takes time in proportion to the length of the plan, and at most `MEMORY` times as many bytes of memory. The layout, byte
by byte, is in ``docs/contributing/plan_format.md``.
"""

from __future__ import annotations

from typing import Final

from reference_runtime.plan import consistency, container, metadata
from reference_runtime.plan.container import MAX_BLOB, VERSION, collect
from reference_runtime.plan.metadata import MAX_AUX_STREAMS
from reference_runtime.plan.records import (
    PLUGIN_V2,
    PLUGIN_V3,
    KernelPlan,
    LayerPlan,
    Plan,
    PluginPlan,
    ProfilePlan,
    TensorPlan,
    Traits,
    ValueRange,
)
from reference_runtime.values.checked_json import PlanError
from reference_runtime.values.refusals import Reason, Refused

__all__ = [
    "MAX_AUX_STREAMS",
    "MAX_BLOB",
    "MEMORY",
    "PLUGIN_V2",
    "PLUGIN_V3",
    "VERSION",
    "KernelPlan",
    "LayerPlan",
    "Plan",
    "PlanError",
    "PluginPlan",
    "ProfilePlan",
    "TensorPlan",
    "Traits",
    "ValueRange",
    "collect",
    "read",
    "write",
]

MEMORY: Final = 64
"""Reading allocates at most this many bytes for each byte of a plan, and 1 MiB."""


def write(plan: Plan) -> bytes:
    """Return the bytes of a plan, or raise `Refused` if a plan cannot hold a value, such as a very long name."""
    try:
        return container.pack(metadata.encode(plan), metadata.blobs_of(plan))
    except PlanError as error:
        raise Refused(f"the engine cannot be serialized: {error}", Reason.SERIALIZATION) from error


def read(data: bytes) -> Plan:
    """Return the plan that ``data`` holds, or raise `PlanError`."""
    plan = metadata.decode(*container.unpack(data))
    consistency.check(plan)
    return plan
