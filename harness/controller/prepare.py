"""Begin a run: choose device and builder, and start the first child; this process goes on while the child starts."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from harness.config.errors import UsageError
from harness.config.options import IsolationChoice, RuntimeChoice
from harness.controller.children import device_routing
from harness.controller.children.factory import ChildFactory, Children
from harness.controller.host_session import Silence
from harness.process.nvidia_packages import RTX, of_choice
from harness.process.temporary import remove_abandoned
from harness.protocol.asked import IsolationError

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.controller.host_session import HostSession, WaitDisplay


class Prepared(msgspec.Struct, frozen=True, dict=True):
    """The parts of a run before its modules are described: session, options with the chosen builder, children."""

    session: HostSession
    options: Options
    factory: ChildFactory
    children: Children

    @functools.cached_property
    def waiting(self) -> WaitDisplay:
        """Return the display of waiting times; a silent one with --plugin-isolation=none, where plugins may write."""
        return self.session.waiting if self.options.isolation is IsolationChoice.PROCESS else Silence()


def prepare(session: HostSession, options: Options) -> Prepared:
    """Start the child that describes the rules; a worker of pytest-xdist gets the rules from its controller.

    Raises:
        UsageError: The chosen device or builder cannot be used, or the child cannot be started.
    """
    remove_abandoned()
    device = device_routing.settled(options.device)
    device_routing.insist_on_tools(options.sanitizer, device)
    runtime = _builder(options.runtime)
    lacks_builder = options.runtime is RuntimeChoice.AUTO and runtime is RuntimeChoice.REFERENCE
    options = structs.replace(options, runtime=runtime, lacks_builder=lacks_builder)
    beside = [str(Path(options.config).parent)] * bool(options.config)
    folders = tuple(dict.fromkeys((*session.folders, *beside, *filter(None, sys.path))))
    factory = ChildFactory(options, device, folders, session.worker)
    children = Children(factory.make)
    try:
        if not session.worker:
            children.of(options.subjects[0], options.spec.value).start()
    except IsolationError as error:
        raise UsageError(str(error)) from error
    return Prepared(session, options, factory, children)


def _builder(choice: RuntimeChoice) -> RuntimeChoice:
    """Return the runtime whose builder builds the plugins, too; never ``auto``.

    If NVIDIA has no wheel for this machine, the rules report why they did not run.

    Raises:
        UsageError: NVIDIA has a wheel for this machine, and it is not installed.
    """
    if choice is RuntimeChoice.AUTO:
        return RuntimeChoice.RTX if RTX.has_wheel() and RTX.is_installed() else RuntimeChoice.REFERENCE
    package = of_choice(choice.value)
    if package is not None and package.has_wheel() and not package.is_installed():
        raise UsageError(
            f"--plugin-runtime={choice.value}: {package.product}, or onnx, is not installed: {package.install}"
        )
    return choice
