"""Where the user's module lives: in a child process that nothing can leave, or in this process on request."""

from __future__ import annotations

import dataclasses
import sys
import time
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from harness.child import user_module
from harness.child.task import timed
from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Captured, InternalError, Kind
from harness.controller.children.child_process import ChildProcess
from harness.process import failures, stack
from harness.protocol.messages import ChildSettings, Reply, Request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

__all__ = ["ChildSettings", "InProcess", "Isolation", "IsolationError", "Loaded", "ProcessIsolation", "Request"]

#: Seconds after the deadline of a request at which the zygote, which should have kept it, is given up.
_GRACE = 10.0


class IsolationError(Exception):
    """A child process cannot be had here; the argument says what to do."""


@dataclasses.dataclass(frozen=True)
class Loaded:
    """How the import of the user's module went.

    Attributes:
        ok: Whether it is there.
        name: Its name in ``sys.modules`` of the process that imported it.
        answer: If it is not: how it failed.
        found: Whether there is such a module at all; if not, ``answer.reason`` says what was looked for.
        threads: Whether the import left threads behind, so that each request takes a process of its own.
        captured: What was written meanwhile.
    """

    ok: bool
    name: str = ""
    answer: Answer | None = None
    found: bool = True
    threads: bool = False
    captured: Captured = dataclasses.field(default_factory=Captured)


class Isolation(Protocol):
    """What pytest's side asks; nothing that a plugin does shows in it but as an answer."""

    def load(self) -> Loaded:
        """Import the user's module."""

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""

    def ask(self, request: Request) -> Answer:
        """Return the answer to one request."""

    def close(self) -> None:
        """End everything that was started."""


class ProcessIsolation:
    """Imports the module in a child and has every request served in a fork of it.

    If the import leaves threads behind, a fork would not be sound, and every request gets a child of its own.
    """

    def __init__(self, settings: ChildSettings, environment: Mapping[str, str] | None = None) -> None:
        """Prepare for a child; ``environment`` is added to that of this process.

        Raises:
            IsolationError: This is another system than Linux.
        """
        if sys.platform != "linux":
            raise IsolationError(
                f"plugins are isolated by means of Linux, and this is {sys.platform}: "
                "run with --plugin-isolation=none, where a plugin that crashes ends pytest"
            )
        self._settings = settings
        self._environment = dict(environment or {})
        self._child: ChildProcess | None = None
        self._loaded = Loaded(ok=False)
        self._seconds = 0.0

    def load(self) -> Loaded:
        """Start a child and import the module there."""
        self.close()
        self._child = ChildProcess(self._settings, self._environment)
        try:
            reply = self._child.reply(self._settings.import_timeout)
        except BaseException:
            self.close()
            raise
        self._loaded = _loaded(reply)
        if not self._loaded.ok:
            self.close()
        return self._loaded

    def discover(self) -> dict[str, Any]:
        """Return what the child finds in the module.

        Where a callback ends the process that probes for a case, it is asked again without that callback: the rules
        will tell how it ends. Any other death is one of the problems found.
        """
        shunned: dict[str, str] = {}
        reply = self._served({"do": "discover", "shunned": shunned})
        while (callback := _ended_by(reply)) and callback not in shunned:
            shunned[callback] = "a rule"
            reply = self._served({"do": "discover", "shunned": shunned})
        if reply.failed is None:
            found: dict[str, Any] = reply.value
            return found
        if reply.failed.kind is Kind.BROKEN:
            raise InternalError("DISCOVER", reply.failed.reason)
        answer = dataclasses.replace(reply.failed, captured=reply.captured)
        mishap = answer.mishap or CallbackFailure(user_module.IMPORT, "failed")
        text = f"while plugins were looked for, {mishap.callback} {mishap.how}"
        return {"plugins": [], "problems": [{"kind": "fail", "text": text, "answer": answer.to_plain()}]}

    def ask(self, request: Request) -> Answer:
        """Return the answer of a fresh fork; its death or deadline is an answer as well."""
        reply = self._served({"do": "judge", "request": request.to_plain(), "timeout": request.deadline})
        answer = Answer.from_plain(reply.value) if reply.failed is None else self._timed(reply.failed)
        return dataclasses.replace(answer, captured=reply.captured)

    def _timed(self, answer: Answer) -> Answer:
        """Return an answer that its process did not live to give, with how long that process was waited for."""
        return dataclasses.replace(answer, seconds=self._seconds)

    def ask_all(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the answers to the first of several requests, which share a process as long as nothing is wrong.

        A deadline, a death or a finding ends it: what is not answered is to be asked alone.
        """
        timeout = sum(request.deadline or self._settings.timeout for request in requests)
        asked = [request.to_plain() for request in requests]
        reply = self._served({"do": "judge all", "requests": asked, "timeout": timeout})
        return [] if reply.failed else [Answer.from_plain(answer) for answer in reply.value]

    def close(self) -> None:
        """End the child, its forks and all that they started."""
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def _served(self, task: dict[str, Any]) -> Reply:
        if self._child is None and not self.load().ok:
            return Reply(failed=self._loaded.answer, captured=self._loaded.captured)
        child = self._child
        if child is None:
            raise IsolationError("the module was never loaded")
        spent = True
        timeout = task.get("timeout") or self._settings.timeout
        begun = time.monotonic()
        try:
            reply = child.ask(task, timeout + (0 if self._loaded.threads else _GRACE))
            spent = self._loaded.threads or not child.is_usable
        finally:
            self._seconds = time.monotonic() - begun
            if spent:
                self.close()
        return reply


class InProcess:
    """Imports the module into this process, for ``--plugin-isolation=none`` and so for debuggers.

    What a rule or the plugin raises outside the callbacks goes to the caller; a crash ends this process.
    """

    #: The judge of a process is prepared for one module at a time.
    _served: ClassVar[InProcess | None] = None

    def __init__(self, settings: ChildSettings) -> None:
        self._settings = settings
        self._judging: ModuleType | None = None

    def load(self) -> Loaded:
        """Import the module here."""
        try:
            self._judging, self._settings = user_module.bring_in(self._settings)
        except user_module.ModuleMissingError as error:
            return Loaded(ok=False, found=False, answer=_import_failed(error))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a module raises is the user's finding
            return Loaded(ok=False, answer=_import_failed(error))
        InProcess._served = self
        return Loaded(ok=True, name=self._settings.module)

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""
        found: dict[str, Any] = self._judge().discover(self._settings, {})
        return found

    def ask(self, request: Request) -> Answer:
        """Return the answer of this very process."""
        if self._judging is None:
            loaded = self.load()
            if loaded.answer is not None:
                return loaded.answer
        return Answer.from_plain(timed(self._judge(), request.to_plain()))

    def close(self) -> None:
        """Do nothing: what was imported stays."""

    def _judge(self) -> ModuleType:
        if self._judging is None:
            raise IsolationError("the module was not loaded, or its import failed")
        if InProcess._served is not self:  # again, but for the user's setup, which must not run twice
            self._judging.prepare(dataclasses.replace(self._settings, setup=""))
            InProcess._served = self
        return self._judging


def _loaded(reply: Reply) -> Loaded:
    value = reply.value or {}
    if reply.failed is None:
        return Loaded(ok=True, name=value["name"], threads=value["threads"], captured=reply.captured)
    answer = dataclasses.replace(reply.failed, captured=reply.captured)
    return Loaded(ok=False, answer=answer, found=value.get("found", True), captured=reply.captured)


def _ended_by(reply: Reply) -> str:
    """The plugin's callback that ended the process, if one did."""
    mishap = reply.failed.mishap if reply.failed else None
    none = {user_module.IMPORT, user_module.SETUP, failures.NO_CALLBACK}
    return mishap.callback if mishap is not None and mishap.callback not in none else ""


def _import_failed(error: BaseException) -> Answer:
    mishap = CallbackFailure(user_module.IMPORT, f"raised {failures.named(error)}", stack=stack.of_error(error))
    return Answer(Kind.MET, reason=str(error), mishap=mishap)
