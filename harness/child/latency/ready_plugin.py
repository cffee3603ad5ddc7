"""Prepare a plugin with its memory and stream, so that only the call of ``enqueue`` remains."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from harness.checks.running.buffers import address_of, allocated, lent
from harness.checks.running.single_run import PLAIN
from harness.subject.calling import strictly

if TYPE_CHECKING:
    from harness.cases.case import Shape
    from harness.checks.running.buffers import Buffers
    from harness.checks.running.driver import Driver
    from reference_runtime.calling.gate.gate import Gate


class Stand(msgspec.Struct, frozen=True):
    """A plugin that is ready to run, with its memory and its stream.

    Attributes:
        driver: The driver that has prepared the plugin.
        described: The descriptions of inputs and outputs for ``enqueue``.
        buffers: The memory of inputs, outputs and workspace.
        stream: The stream for ``enqueue``.
    """

    driver: Driver
    described: tuple[list[Any], list[Any]]
    buffers: Buffers
    stream: Any

    @property
    def moved_bytes(self) -> int:
        """Return the bytes of inputs and outputs, which the device must at least move; shared memory counts twice."""
        return sum(buffer.nbytes for buffer in (*self.buffers.inputs, *self.buffers.outputs))

    def of(self, driver: Driver) -> Stand:
        """Return a `Stand` of another plugin on the same memory and stream."""
        return structs.replace(self, driver=driver)

    def call(self) -> Callable[[], int]:
        """Return a function that calls ``enqueue`` as an engine does, each time with the same arguments."""
        driver, buffers = self.driver, self.buffers
        running = driver.caller.what_runs(driver.gate, driver.plugin)
        addresses = (
            [address_of(buffer, null=PLAIN.null_when_empty) for buffer in buffers.inputs],
            [address_of(buffer, null=PLAIN.null_when_empty) for buffer in buffers.outputs],
        )
        workspace = address_of(buffers.workspace, null=PLAIN.null_workspace)
        run, gate, described, stream = driver.caller.run, driver.gate, self.described, self.stream.handle

        def call() -> int:
            return run(gate, running, described, addresses, workspace, stream)

        return call

    def call_and_wait(self) -> None:
        """Call ``enqueue`` once and wait until its work is done.

        Raises:
            harness.contract.finding.CallbackFailedError: ``enqueue`` failed.
        """
        with strictly(self.driver.gate):
            self.call()()
        self.stream.synchronize()


@contextlib.contextmanager
def standing(driver: Driver, shapes: tuple[Shape, ...]) -> Iterator[Stand]:
    """Yield a `Stand` of a plugin that is configured for the shapes; its memory is freed after the block."""
    inputs, outputs = driver.tensors.descriptions(shapes)
    size, aliases, device = (
        driver.workspace_size(shapes),
        driver.tensors.aliases(inputs, outputs),
        driver.subject.device,
    )
    with lent(allocated(device, inputs, outputs, driver.tensors.draw(shapes), size, PLAIN.poison, aliases)) as buffers:
        yield Stand(driver, (inputs, driver.tensors.as_shown(outputs)), buffers, device.new_stream())
        device.synchronize()


@contextlib.contextmanager
def unobserved(gate: Gate) -> Iterator[None]:
    """Take the observers from the gate in a block, since they slow calls down, and applications have none."""
    observers, gate.observers[:] = list(gate.observers), []
    try:
        yield
    finally:
        gate.observers[:] = observers
