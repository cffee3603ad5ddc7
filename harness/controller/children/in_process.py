"""The user's module in this process, for ``--plugin-isolation=none``.

This is the only way from the controller to the child's code. That brings the reference runtime, so it is imported when
a module is loaded.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from harness.contract import own_names
from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Kind
from harness.controller.children import child_process
from harness.process import failures, stack
from harness.protocol.asked import IsolationError, Loaded
from harness.protocol.requests import IMPORT

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.child.task import Judge
    from harness.contract.rule import Rule
    from harness.protocol.messages import ChildSettings, Request


def the_judge() -> Judge:
    """Load what judges plugins."""
    from harness.child import main  # noqa: PLC0415 - see the module's docstring

    return main.the_judge()


class InProcess:
    """Imports the module into this process, for ``--plugin-isolation=none`` and so for debuggers.

    What a rule or the plugin raises outside the callbacks goes to the caller; a crash ends this process.
    """

    #: The judge of a process is prepared for one module at a time.
    _served: ClassVar[InProcess | None] = None

    def __init__(self, settings: ChildSettings, load_judge: Callable[[], Judge] | None = None) -> None:
        """Take a module to import; ``load_judge`` takes the place of the real function in tests.

        Raises:
            IsolationError: The user has a package with the name of our package. Here the name can mean only one of the
                two.
        """
        if (theirs := child_process.with_our_names(settings)) and not own_names.are_prefixed():
            raise IsolationError(
                f"{theirs} has the name of a package of pytest-trt-conformance, so one process cannot import both. "
                "Run without --plugin-isolation=none, or rename the package"
            )
        self._settings = settings
        self._load_judge = load_judge
        self._judge: Judge | None = None

    def start(self) -> None:
        """Do nothing: the rules are loaded when they are asked for."""

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules, whose functions are here."""
        return (self._load_judge or the_judge)().rules()

    def load(self) -> Loaded:
        """Import the module here."""
        from harness.child import user_module  # noqa: PLC0415 - see the module's docstring

        try:
            judge = user_module.load_the_judge(self._settings, self._load_judge or the_judge)
            self._settings = user_module.bring_in(self._settings, judge)
        except user_module.ModuleMissingError as error:
            return Loaded(ok=False, found=False, answer=_import_failed(error))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a module raises is the user's finding
            return Loaded(ok=False, answer=_import_failed(error))
        self._judge, InProcess._served = judge, self
        return Loaded(ok=True, name=self._settings.module)

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""
        found: dict[str, Any] = self._prepared().discover(self._settings, {})
        return found

    def ask(self, request: Request) -> Answer:
        """Return the answer of this very process."""
        from harness.child.task import timed  # noqa: PLC0415 - see the module's docstring

        if self._judge is None:
            loaded = self.load()
            if loaded.answer is not None:
                return loaded.answer
        return Answer.from_plain(timed(self._prepared(), request.to_plain()))

    def another(self) -> InProcess:
        """Return this object: there is one process."""
        return self

    def close(self) -> None:
        """Do nothing: what was imported stays."""

    def _prepared(self) -> Judge:
        if self._judge is None:
            raise IsolationError("the module was not loaded, or its import failed")
        if InProcess._served is not self:  # again, but for the user's setup, which must not run twice
            self._judge.prepare(dataclasses.replace(self._settings, setup=""))
            InProcess._served = self
        return self._judge


def _import_failed(error: BaseException) -> Answer:
    mishap = CallbackFailure(IMPORT, f"raised {failures.named(error)}", stack=stack.of_error(error))
    return Answer(Kind.MET, reason=str(error), mishap=mishap)
