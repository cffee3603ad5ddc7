"""The user's module in a child process that nothing can leave."""

from __future__ import annotations

import dataclasses
import sys
import time
from typing import TYPE_CHECKING, Any

from harness.contract.catalogue import CatalogueError
from harness.contract.described_rules import rules_of
from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, InternalError, Kind
from harness.controller.children.child_process import ChildProcess
from harness.process import failures
from harness.protocol.asked import IsolationError, Loaded
from harness.protocol.messages import ChildSettings, Reply, Request
from harness.protocol.requests import IMPORT, SETUP

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.contract.rule import Rule

__all__ = ["ProcessIsolation"]

#: Seconds after the deadline of a request at which the fork server, which should have kept it, is given up.
_GRACE = 10.0


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
        self._is_importing = False
        self._seconds = 0.0

    def rules(self) -> dict[str, Rule]:
        """Start a child, and have it describe the installed rules; it goes on to import the module meanwhile."""
        reply = self._started(dataclasses.replace(self._settings, describes_rules=True))
        self._is_importing = reply.failed is None
        if reply.failed is not None:
            self.close()
            how = reply.failed.mishap
            raise CatalogueError(reply.failed.reason or (f"the rules cannot be loaded: {how.how}" if how else ""))
        if "error" in reply.value:
            self.close()
            raise CatalogueError(reply.value["error"])
        return rules_of(reply.value["rules"])

    def _started(self, settings: ChildSettings) -> Reply:
        """Start a child and return its first reply."""
        self.close()
        self._child = ChildProcess(settings, self._environment)
        return self._replied(self._child)

    def _replied(self, child: ChildProcess) -> Reply:
        try:
            return child.reply(self._settings.import_timeout)
        except BaseException:
            self.close()
            raise

    def load(self) -> Loaded:
        """Import the module in a child, in the one that described the rules if there is one."""
        if self._child is not None and self._is_importing:
            self._is_importing = False
            reply = self._replied(self._child)
        else:
            reply = self._started(self._settings)
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
        mishap = answer.mishap or CallbackFailure(IMPORT, "failed")
        text = f"while plugins were looked for, {mishap.callback} {mishap.how}"
        return {"plugins": [], "problems": [{"kind": "fail", "text": text, "answer": answer.to_plain()}]}

    def ask(self, request: Request) -> Answer:
        """Return the answer of a fresh fork; its death or deadline is an answer as well."""
        reply = self._served({"do": "judge", "request": request.to_plain(), "timeout": request.deadline})
        if reply.failed is None:
            answer = Answer.from_plain(reply.value)
        else:  # its process did not live to give it: it says how long that process was waited for
            answer = dataclasses.replace(reply.failed, seconds=self._seconds)
        return dataclasses.replace(answer, captured=reply.captured)

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
        self._is_importing = False
        if child is not None:
            child.end()

    def _served(self, task: dict[str, Any]) -> Reply:
        if (self._child is None or self._is_importing) and not self.load().ok:
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


def _loaded(reply: Reply) -> Loaded:
    value = reply.value or {}
    if reply.failed is None:
        return Loaded(ok=True, name=value["name"], threads=value["threads"], captured=reply.captured)
    answer = dataclasses.replace(reply.failed, captured=reply.captured)
    return Loaded(ok=False, answer=answer, found=value.get("found", True), captured=reply.captured)


def _ended_by(reply: Reply) -> str:
    """The plugin's callback that ended the process, if one did."""
    mishap = reply.failed.mishap if reply.failed else None
    none = {IMPORT, SETUP, failures.NO_CALLBACK}
    return mishap.callback if mishap is not None and mishap.callback not in none else ""
