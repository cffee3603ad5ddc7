"""Run ``enqueue`` at the shapes of one case, and nothing else, in the process that a tool watches.

Theory. Every report is about the plugin, because the harness itself launches only one kernel, before everything else.
That kernel has the defect that the tool must find. A tool that does not report it works on no kernel here, so its
silence is no evidence. Outputs and workspace are left as CUDA gives them, without poison, so that initcheck sees that
they are uninitialized. No memory is given back, so that an address means one tensor of one execution.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import sample_shapes
from reference_runtime.devices.cuda_planted import plant

if TYPE_CHECKING:
    from harness.contract.sanitizer_tool import Tool
    from harness.subject.subject import Subject


def executed(subject: Subject, tool: Tool) -> dict[str, Any]:
    """Return the executions, each with its shapes and its memory, and what went wrong, if anything did."""
    told: list[dict[str, Any]] = []
    trouble = ""
    try:
        if subject.device.is_asynchronous:
            plant(tool.value)
        for execution in _executions(subject):
            told.append(execution)  # noqa: PERF402 - one by one: what was done before an exception counts
    except Exception as error:  # noqa: BLE001 - a kernel that was ended makes every library raise what it likes
        trouble = f"{type(error).__name__}: {error}"
    return {"executions": told, "trouble": trouble}


def _executions(subject: Subject) -> Iterator[dict[str, Any]]:
    kept = []
    for shapes in sample_shapes(subject.case, subject.sampled(1), seed=subject.seed):
        stand = fresh_driver(subject).configure(shapes).stand(shapes)
        kept.append(stand)
        memory = [[label, each.address, each.nbytes] for label, each in stand.buffers.by_label.items()]
        yield {"shapes": [list(shape) for shape in shapes], "memory": memory}
        stand.call()
        stand.stream.synchronize()
