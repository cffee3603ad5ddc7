"""The user's module in this process, for ``--plugin-isolation=none``.

No other module of the controller imports the child's code. That code imports the reference runtime, so the functions
here import it late.
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
    """Import the child's code, and return its judge."""
    from harness.child import main  # noqa: PLC0415 - see the module's docstring

    return main.the_judge()


class InProcess:
    """Imports the module into this process, so that a debugger can follow the plugin.

    An exception outside the callbacks goes to the caller; a crash ends this process.
    """

    #: The object whose module the judge is prepared for: the judge of a process serves one module at a time.
    _served: ClassVar[InProcess | None] = None

    def __init__(self, settings: ChildSettings, load_judge: Callable[[], Judge] | None = None) -> None:
        """Take a module to import; tests replace ``the_judge`` by ``load_judge``.

        Raises:
            IsolationError: The user has a package named ``harness`` or ``conformance``: one process cannot import two.
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
        """Do nothing: ``rules`` loads the rules."""

    def rules(self) -> dict[str, Rule]:
        """Return the installed rules with their functions."""
        return (self._load_judge or the_judge)().rules()

    def load(self) -> Loaded:
        """Import the module here."""
        from harness.child import user_module  # noqa: PLC0415 - see the module's docstring

        try:
            judge = user_module.load_the_judge(self._settings, self._load_judge or the_judge)
            self._settings = user_module.bring_in(self._settings, judge)
        except user_module.ModuleMissingError as error:
            return Loaded(ok=False, exists=False, answer=_import_failed(error))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - any exception of a module is a failure of the module
            return Loaded(ok=False, answer=_import_failed(error))
        self._judge, InProcess._served = judge, self
        return Loaded(ok=True, name=self._settings.module)

    def discover(self) -> dict[str, Any]:
        """Return the module's plugins and their cases, as plain data."""
        contents: dict[str, Any] = self._prepared().discover(self._settings, {})
        return contents

    def ask(self, request: Request) -> Answer:
        """Judge in this process, and return the answer."""
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
        """Do nothing: the imported module stays in this process."""

    def _prepared(self) -> Judge:
        if self._judge is None:
            raise IsolationError("the module was not loaded, or its import failed")
        if InProcess._served is not self:  # prepare again, without the user's setup: it must not run twice
            self._judge.prepare(dataclasses.replace(self._settings, setup=""))
            InProcess._served = self
        return self._judge


def _import_failed(error: BaseException) -> Answer:
    failure = CallbackFailure(IMPORT, f"raised {failures.named(error)}", stack=stack.of_error(error))
    return Answer(Kind.MET, reason=str(error), mishap=failure)
