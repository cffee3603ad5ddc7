"""Run ``enqueue`` at the shapes of one case, in a process that a tool of compute-sanitizer watches.

Theory. Every report must be about the plugin. So the harness itself launches only one kernel, before the plugin's. That
kernel has a defect that the tool must find. If the tool does not report it, the tool does not work here, and its
silence is no evidence. Outputs and workspace stay as CUDA allocates them, so that initcheck sees that they are
uninitialized. No memory is freed, so that an address belongs to one tensor of one execution.
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
    """Return the ``executions``, each with its shapes and memory, and ``trouble``: the error that ended them, or ""."""
    executions: list[dict[str, Any]] = []
    trouble = ""
    try:
        if subject.device.is_asynchronous:
            plant(tool.value)
        for execution in _executions(subject):
            executions.append(execution)  # noqa: PERF402 - one by one, so that those before an exception count
    except Exception as error:  # noqa: BLE001 - after the tool has ended a kernel, libraries raise errors of any class
        trouble = f"{type(error).__name__}: {error}"
    return {"executions": executions, "trouble": trouble}


def _executions(subject: Subject) -> Iterator[dict[str, Any]]:
    kept = []
    for shapes in sample_shapes(subject.case, subject.sampled(1), seed=subject.seed):
        stand = fresh_driver(subject).configure(shapes).stand(shapes)
        kept.append(stand)
        memory = [[label, each.address, each.nbytes] for label, each in stand.buffers.by_label.items()]
        yield {"shapes": [list(shape) for shape in shapes], "memory": memory}
        stand.call()
        stand.stream.synchronize()
