"""Define what a rule yields and raises: findings, violations, and reasons for not judging."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable

import msgspec

from harness.contract.codec import Record
from harness.contract.fingerprint import without_numbers

#: The number of violations in an answer, at most; all are counted.
MOST_VIOLATIONS = 5


@dataclasses.dataclass(frozen=True)
class Violation(Record):
    """One broken rule, seen once; its fields answer what a reader asks first.

    Attributes:
        what: What happened, with the value.
        where: The callback and the argument, index or shape that showed it.
        expected: What a plugin that keeps the rule would have done.
        observed: What this plugin did.
        fix: What to change, in the imperative.
    """

    what: str
    where: str
    expected: str
    observed: str
    fix: str


class Finding(msgspec.Struct, frozen=True):
    """The result of one question that a rule judged; without a violation, it is evidence that the rule holds."""

    violation: Violation | None = None


def worth_showing(violations: Iterable[Violation]) -> tuple[Violation, ...]:
    """Return the violations that an answer carries, at most ``MOST_VIOLATIONS``.

    Violations that differ in more than numbers come first: each may need a separate correction.
    """
    distinct = list(dict.fromkeys(violations))
    if len(distinct) <= MOST_VIOLATIONS:
        return tuple(distinct)
    kinds: dict[str, Violation] = {}
    for each in distinct:
        kinds.setdefault(without_numbers(f"{each.where}\n{each.what}"), each)
    return tuple(dict.fromkeys([*kinds.values(), *distinct]))[:MOST_VIOLATIONS]


def check(held: bool, violation: Callable[[], Violation]) -> Finding:  # noqa: FBT001 - reads as a sentence
    """Return the finding of one question; ``held`` says whether the rule holds for it.

    ``violation`` is called only if the rule does not hold.
    """
    return Finding(None if held else violation())


class NotApplicableError(Exception):
    """The rule does not concern this plugin or this case; the argument says why."""


class NotRunError(Exception):
    """The rule could not be judged here; the argument says what is missing."""


class NeedsDeviceError(NotRunError):
    """The plugin needs a device that this machine lacks, so its kernels were not executed."""


#: The names that rules use: ``raise NotApplicable("it has no fields")``.
NotApplicable = NotApplicableError
NotRun = NotRunError


@dataclasses.dataclass(frozen=True)
class CallbackFailure(Record):
    """A callback that failed while a rule judged another question.

    Attributes:
        callback: The method's name, for example ``enqueue``.
        how: ``raised ValueError: no`` or ``died by SIGSEGV`` or ``did not return within 20 s``.
        where: The object, phase and arguments of the call.
        becomes: What TensorRT does then.
        stack: The Python stack at that point, as text.
        calls: The last callbacks before it, oldest first.
        skipped: Whether it was not called, since it has ended a process before; another rule reports that.
    """

    callback: str
    how: str
    where: str = ""
    becomes: str = ""
    stack: str = ""
    calls: tuple[str, ...] = ()
    skipped: bool = False


class _CallbackError(Exception):
    def __init__(self, failure: CallbackFailure) -> None:
        super().__init__(f"{failure.callback} {failure.how}")
        self.failure = failure


class CallbackFailedError(_CallbackError):
    """A callback of the plugin failed where the running rule needs its answer."""


class SkippedCallbackError(_CallbackError):
    """A callback was not called, since it has ended a process before; another rule reports that.

    This is no :class:`CallbackFailedError`, so that rules that judge failures do not count it.
    """
