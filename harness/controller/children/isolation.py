"""Import the user's module in a child process, and have forks of that process answer requests."""

from __future__ import annotations

import abc
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
from harness.process.folder_lock import locked
from harness.protocol.asked import IsolationError, Loaded, TwinLostError
from harness.protocol.messages import ChildSettings, Reply, Request
from harness.protocol.requests import IMPORT, REPEATABLE, SETUP

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.contract.rule import Rule
    from harness.controller.children.child_process import Connection
    from harness.protocol.asked import Loading

#: How a callback fails that does not end the process.
_HARMLESS = ("raised ", "returned ")
#: Seconds to wait for a fork server beyond twice the deadline of a request. The server itself enforces the deadline.
_GRACE = 10.0


class _Isolation(abc.ABC):
    """Asks a process; the classes below provide the process."""

    def __init__(self, settings: ChildSettings) -> None:
        self._settings = settings
        self._seconds = 0.0
        self._confirmed: set[tuple[str, str, str]] = set()  # plugin, callback, and how it failed in a new process

    def ask(self, request: Request) -> Answer:
        """Return the answer of a fork; if the fork dies or exceeds its deadline, the answer says so.

        A fork that served other requests may answer if they left it unchanged. Unless its answer is clean, a new fork
        answers the request again. Without a fork server a new process imports the module again, which takes seconds. So
        none answers if a callback failed in the same way in a new process before.
        """
        answer, is_shared = self._answer(request, alone=request.kind not in REPEATABLE)
        if is_shared and not self._is_believed(answer, request):
            answer, is_shared = self._answer(request, alone=True)
        if not is_shared and answer.kind is Kind.MET and answer.mishap is not None:
            self._confirmed.add((request.plugin, answer.mishap.callback, answer.mishap.how))
        return answer

    def _is_believed(self, answer: Answer, request: Request) -> bool:
        is_final = answer.is_clean or _lacks_the_case(answer, request) or failures.interfered(answer)
        return is_final or self._is_confirmed(answer, request)

    def _is_confirmed(self, answer: Answer, request: Request) -> bool:
        mishap = answer.mishap
        if self._forks() or answer.kind is not Kind.MET or mishap is None or not mishap.how.startswith(_HARMLESS):
            return False
        return (request.plugin, mishap.callback, mishap.how) in self._confirmed

    def _answer(self, request: Request, *, alone: bool) -> tuple[Answer, bool]:
        """Return the answer of a fork, and whether that fork had served another request before.

        Programs run one after the other, here and in `ProcessIsolation.load`, since they may share files.
        """
        task = {"do": "judge", "request": request.to_plain(), "timeout": request.deadline, "alone": alone}
        with locked(needed=bool(self._settings.applications)):
            reply = self._served(task)
        if reply.failed is None:
            answer = Answer.from_plain(reply.value)
        else:  # the process died before it answered: the time is that of the wait
            answer = dataclasses.replace(reply.failed, seconds=self._seconds)
        return dataclasses.replace(answer, captured=reply.captured), reply.shared

    def _forks(self) -> bool:
        """Return whether a fork server serves the requests."""
        return True

    @abc.abstractmethod
    def _served(self, task: dict[str, Any]) -> Reply:
        """Have the process do a task."""

    def _timed(self, connection: Connection, task: dict[str, Any], *, is_server: bool = True) -> Reply:
        """Have a task done, and note how long it took; a fork server enforces the deadline by itself."""
        timeout = task.get("timeout") or self._settings.timeout
        patience = 2 * timeout + _GRACE if is_server else timeout
        begun = time.monotonic()
        try:
            return connection.ask(task, patience)
        finally:
            self._seconds = time.monotonic() - begun


class ProcessIsolation(_Isolation):
    """Imports the module in a child, and has forks of the child serve the requests.

    If the import leaves threads running, a fork is not safe. Then the child itself serves requests, until one changes
    it. After that, a new child serves them.
    """

    def __init__(self, settings: ChildSettings, environment: Mapping[str, str] | None = None) -> None:
        """Take the settings of the child; ``environment`` is added to the environment of this process.

        Raises:
            IsolationError: The system is not Linux.
        """
        if sys.platform != "linux":
            raise IsolationError(
                f"plugins are isolated by means of Linux, and this is {sys.platform}. "
                "Run with --plugin-isolation=none, where a plugin that crashes ends pytest"
            )
        super().__init__(settings)
        self._environment = dict(environment or {})
        self._child: ChildProcess | None = None
        self._loaded = Loaded(ok=False)
        self._is_importing = False
        self._has_served = False  # whether a child that does not fork has served a request

    def start(self) -> None:
        """Start a child that describes the installed rules, and goes on to import the module."""
        self._start(describes_rules=True)

    def start_importing(self) -> None:
        """Start a child that imports the module meanwhile; a program of the user's waits for its turn."""
        if not (self._settings.records or self._settings.applications):
            self._start()
            self._is_importing = True

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules as the child describes them."""
        reply = self._replied(self._child or self._start(describes_rules=True))
        self._is_importing = reply.failed is None
        if reply.failed is not None:
            self.close()
            how = reply.failed.mishap
            raise CatalogueError(reply.failed.reason or (f"the rules cannot be loaded: {how.how}" if how else ""))
        if "error" in reply.value:
            self.close()
            raise CatalogueError(reply.value["error"])
        return rules_of(reply.value["rules"])

    def _start(self, *, describes_rules: bool = False) -> ChildProcess:
        """Start a child.

        Raises:
            IsolationError: The system gives no process, memory or file descriptors for it.
        """
        self.close()
        try:
            settings = dataclasses.replace(self._settings, describes_rules=describes_rules)
            self._child = ChildProcess(settings, self._environment)
        except OSError as error:
            raise IsolationError(f"a process for the plugin cannot be started: {error}") from error
        return self._child

    def _replied(self, child: ChildProcess) -> Reply:
        try:
            return child.reply(self._settings.import_timeout)
        except BaseException:
            self.close()
            raise

    def load(self) -> Loaded:
        """Import the module in a child: in the child that described the rules if it exists."""
        with locked(needed=bool(self._settings.records)):
            if self._child is not None and self._is_importing:
                self._is_importing = False
                reply = self._replied(self._child)
            else:
                reply = self._replied(self._start())
        self._loaded = _loaded(reply)
        if not self._loaded.ok:
            self.close()
        return self._loaded

    def discover(self) -> dict[str, Any]:
        """Return what the child finds in the module: plugins and problems, as plain data.

        If a callback ends the process that looks for a case, the child uses a process for each guess. The search skips
        a callback that ends even this process, or that exceeds a deadline. The rules will report how the callback ends.
        Any other death becomes a problem.
        """
        shunned: dict[str, str] = {}
        task = {"do": "discover", "shunned": shunned, "careful": False, "alone": True}
        reply = self._served(task)
        while (callback := _ended_by(reply)) and callback not in shunned:
            if task["careful"] or _is_overdue(reply):
                shunned[callback] = "a rule"
            else:
                task["careful"] = True
            reply = self._served(task)
        if reply.failed is None:
            contents: dict[str, Any] = reply.value
            return contents
        if reply.failed.kind is Kind.BROKEN:
            raise InternalError("DISCOVER", reply.failed.reason)
        answer = dataclasses.replace(reply.failed, captured=reply.captured)
        failure = answer.mishap or CallbackFailure(IMPORT, "failed")
        text = f"while plugins were looked for, {failure.callback} {failure.how}"
        return {"plugins": [], "problems": [{"kind": "fail", "text": text, "answer": answer.to_plain()}]}

    def another(self) -> Loading:
        """Return an object that answers requests about the same module in parallel.

        It asks a twin of this object's child. If the child cannot fork, it asks a new child.
        """
        if self._child is None or self._is_importing:
            self.load()
        twin = None
        if self._child is not None and not self._loaded.threads:
            twin = self._child.twin(_GRACE)
        if twin is None:
            return ProcessIsolation(self._settings, self._environment)
        return TwinIsolation(twin, self._settings)

    def close(self) -> None:
        """End the child, its forks and all that they started."""
        child, self._child = self._child, None
        self._is_importing = self._has_served = False
        if child is not None:
            child.end()

    def _forks(self) -> bool:
        return not self._loaded.threads

    def _served(self, task: dict[str, Any]) -> Reply:
        if self._has_served and task.get("alone", False):
            self.close()
        if (self._child is None or self._is_importing) and not self.load().ok:
            return Reply(failed=self._loaded.answer, captured=self._loaded.captured)
        child = self._child
        if child is None:
            raise IsolationError("the module was never loaded")
        is_server, spent = self._forks(), True
        try:
            reply = self._timed(child, task, is_server=is_server)
            spent = not child.is_usable or not (is_server or reply.unchanged)
        finally:
            if spent:
                self.close()
        if is_server:
            return reply
        shared, self._has_served = self._has_served, not spent
        return dataclasses.replace(reply, shared=shared)


class TwinIsolation(_Isolation):
    """Asks the twin of a child; raises ``TwinLostError`` if the twin does not answer."""

    def __init__(self, twin: Connection, settings: ChildSettings) -> None:
        super().__init__(settings)
        self._twin = twin

    def load(self) -> Loaded:
        """Do nothing: the twin was forked after the module was loaded."""
        return Loaded(ok=True)

    def close(self) -> None:
        """Give the twin up."""
        self._twin.end()

    def _served(self, task: dict[str, Any]) -> Reply:
        if self._twin.is_usable:
            reply = self._timed(self._twin, task)
            if self._twin.is_usable:
                return reply
        raise TwinLostError


def _loaded(reply: Reply) -> Loaded:
    value = reply.value or {}
    if reply.failed is None:
        return Loaded(ok=True, name=value["name"], threads=value["threads"], captured=reply.captured)
    answer = dataclasses.replace(reply.failed, captured=reply.captured)
    return Loaded(ok=False, answer=answer, exists=value.get("found", True), captured=reply.captured)


def _lacks_the_case(answer: Answer, request: Request) -> bool:
    """Return whether a rule was not run because a case is incomplete."""
    case = request.inferred or {}
    return answer.kind is Kind.NOT_RUN and answer.reason in {each for each in case.values() if isinstance(each, str)}


def _is_overdue(reply: Reply) -> bool:
    return reply.failed is not None and reply.failed.overdue


def _ended_by(reply: Reply) -> str:
    """Return the plugin's callback that ended the process; empty if none did."""
    failure = reply.failed.mishap if reply.failed else None
    none = {IMPORT, SETUP, failures.NO_CALLBACK}
    return failure.callback if failure is not None and failure.callback not in none else ""
