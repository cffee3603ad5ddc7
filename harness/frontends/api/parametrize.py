"""Parametrize a user's test with the rules: one test for each rule on each case of a module's plugins.

The decorator notes its arguments. When pytest collects the test, the entry point of this distribution has the decorator
generate the parameters. The module is described then, in a child that all tests with equal arguments share. The child
ends with the session.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from harness.config.declarations import GENERATES
from harness.config.errors import UsageError
from harness.contract.verdict import Verdict
from harness.frontends.api.certify import Certification
from harness.frontends.api.keywords import options_of
from harness.frontends.pytest_plugin.outcomes import skip_reason

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from harness.frontends.api.keywords import Cases, Choices, Module
    from harness.frontends.api.report import RuleResult
    from harness.results.run_plan import ItemId

Test = TypeVar("Test", bound="Callable[..., None]")

#: The argument that a decorated test must have.
ARGUMENT = "rule_result"


def parametrize_with_rules(module: Module, cases: Cases = (), **choices: Unpack[Choices]) -> Callable[[Test], Test]:
    """Return a decorator that parametrizes a test: one test for each rule on each case of a module's plugins.

    The test needs an argument ``rule_result``, a :class:`harness.RuleResult`. If the rule is broken, the test fails
    before its body runs. If the rule does not apply or could not be judged, the test is skipped. If no selected rule of
    the plugin was shown to hold, it fails instead. So the body needs no check of the verdict, and may be empty. The
    arguments are those of :func:`harness.certify`.

    Raises:
        TypeError: The decorated object is no function with that argument.
    """

    def decorate(test: Test) -> Test:
        if not inspect.isfunction(test) or inspect.iscoroutinefunction(test):
            raise TypeError(f"parametrize_with_rules decorates a test function, not {test!r}")
        if ARGUMENT not in inspect.signature(test).parameters:
            signature = f"def {test.__name__}({ARGUMENT}): ..."
            raise TypeError(f"{test.__qualname__} needs an argument named {ARGUMENT}: {signature}")

        @functools.wraps(test)
        def judging(*arguments: Any, **named: Any) -> None:
            __tracebackhide__ = True
            test(*arguments, **{**named, ARGUMENT: named[ARGUMENT].settled()})

        setattr(judging, GENERATES, _Arguments(module, cases, choices))
        return judging  # type: ignore[return-value] # it takes and returns what the test does

    return decorate


@dataclasses.dataclass(frozen=True)
class _Arguments:
    """The module, cases and choices that a decorator requests."""

    module: Module
    cases: Cases
    choices: Choices

    def generate(self, metafunc: pytest.Metafunc) -> None:
        """Describe the module and give the test its parameters; the distribution's entry point calls this."""
        shared = metafunc.config.stash.setdefault(_SHARED, _Shared(metafunc.config))
        try:
            certification = shared.certification(self)
        except UsageError as error:
            raise pytest.Collector.CollectError(f"parametrize_with_rules: {error}") from error
        parameters = [_Pending(shared, certification, place) for place in certification.places]
        metafunc.parametrize(ARGUMENT, parameters, ids=[each.place.nodeid for each in parameters])


class _Shared:
    """The certifications of one session of pytest."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._certifications: dict[Any, Certification] = {}
        self._has_begun = False

    def certification(self, arguments: _Arguments) -> Certification:
        """Return the certification for a decorator's arguments; decorators with equal arguments share it."""
        options = options_of(arguments.module, arguments.cases, arguments.choices)
        if options not in self._certifications:
            certification = Certification(options)
            self._config.add_cleanup(certification.close)
            self._certifications[options] = certification
        return self._certifications[options]

    def begin(self) -> None:
        """Give each certification the items that the session will run; only the first call does anything."""
        if self._has_begun:
            return
        self._has_begun = True
        session: Any = self._config.pluginmanager.getplugin("session")
        parameters = [getattr(item, "callspec", None) for item in session.items]
        running = [each.params.get(ARGUMENT) for each in parameters if each is not None]
        for certification in self._certifications.values():
            mine = (each for each in running if isinstance(each, _Pending) and each.certification is certification)
            certification.will_run(each.place for each in mine)


#: The key of a session's certifications in pytest's stash.
_SHARED = pytest.StashKey[_Shared]()


@dataclasses.dataclass(frozen=True)
class _Pending:
    """A verdict that a test will ask for."""

    shared: _Shared
    certification: Certification
    place: ItemId

    def settled(self) -> RuleResult:
        """Return the verdict if the rule holds; if not, fail or skip the test."""
        __tracebackhide__ = True
        self.shared.begin()
        result = self.certification.judged(self.place)
        if result.failed:
            pytest.fail(result.text, pytrace=False)
        if result.verdict is Verdict.XFAIL:
            pytest.xfail(result.reason)
        reason = skip_reason(result.verdict, result.reason)
        if reason and not self.certification.shows_something(self.place.label):
            pytest.fail(f"{reason}; no selected rule of {self.place.label} was shown to hold", pytrace=False)
        if reason:
            pytest.skip(reason)
        return result
