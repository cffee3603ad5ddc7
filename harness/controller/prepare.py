"""The first step of a run: its first child starts, which takes long. Meanwhile this process loads what it needs."""

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
    """The parts of a run before its modules are described: session, options with the found device, and children."""

    session: HostSession
    options: Options
    factory: ChildFactory
    children: Children

    @functools.cached_property
    def waiting(self) -> WaitDisplay:
        """Shows what is waited for; nothing in one process with the plugin, which may write."""
        return self.session.waiting if self.options.isolation is IsolationChoice.PROCESS else Silence()


def prepare(session: HostSession, options: Options) -> Prepared:
    """Start the child that describes the rules; a worker gets those of its controller.

    Raises:
        UsageError: The wanted device or builder cannot be used, or there is no child to be had.
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
    """Return whose builder builds the plugins too, which is never ``auto``.

    A machine without a wheel is no mistake of the user's. There the rules say why they did not run.
    """
    if choice is RuntimeChoice.AUTO:
        return RuntimeChoice.RTX if RTX.has_wheel() and RTX.is_installed() else RuntimeChoice.REFERENCE
    package = of_choice(choice.value)
    if package is not None and package.has_wheel() and not package.is_installed():
        raise UsageError(
            f"--plugin-runtime={choice.value}: {package.product}, or onnx, is not installed: {package.install}"
        )
    return choice
