"""The serialized engine, called a plan: its content, as values (`records`), and its bytes.

Theory. A plan is deterministic: the same network and the same choices give the same bytes. The bytes are a container
(`container`) of metadata and blobs, with a header and a checksum. The metadata (`metadata`) are JSON, in which every
value has one type, one range and one spelling. The reader evaluates and unpickles no data. It checks every length
against a limit and against the number of bytes. The checksum detects damage. Every error is a `PlanError`. The reader
assumes that `write` made each plan with a correct checksum. So it does not check that the parts of a plan match.
"""

from __future__ import annotations

from reference_runtime.plan import container, metadata
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


def write(plan: Plan) -> bytes:
    """Return the bytes of a plan, or raise `Refused` for an impossible value, such as a very long name."""
    try:
        return container.pack(metadata.encode(plan), metadata.blobs_of(plan))
    except PlanError as error:
        raise Refused(f"the engine cannot be serialized: {error}", Reason.SERIALIZATION) from error


def read(data: bytes) -> Plan:
    """Return the plan that is serialized in ``data``, or raise `PlanError`."""
    return metadata.decode(*container.unpack(data))
