"""Hold the outcomes of a case's builds, as plain data and as values."""

from __future__ import annotations

import dataclasses
from typing import Any

from harness.contract.codec import Record


@dataclasses.dataclass(frozen=True)
class Death(Record):
    """The end of a process that should have lived.

    Attributes:
        how: ``died by SIGSEGV``, ``ended with exit status 1`` or ``went no further for 20 s``.
        when: What the builder was doing.
        callback: The last callback; empty if there was none.
        place: Its file and line.
        words: The last line that the process wrote to its standard error.
        is_late: Whether the build was over.
        hangs: Whether it was ended because a step took too long.
    """

    how: str
    when: str
    callback: str = ""
    place: str = ""
    words: str = ""
    is_late: bool = False
    hangs: bool = False


@dataclasses.dataclass(frozen=True)
class Misdeed(Record):
    """A fault of a library in C++ in one call.

    Attributes:
        callback: The callback, as rules that own it name it.
        what: What it did, in words that follow the callback's name.
    """

    callback: str
    what: str


@dataclasses.dataclass(frozen=True)
class Seen(Record):
    """The result of one build by one runtime.

    Attributes:
        parsed: Whether the model was parsed.
        plan: Whether there is a plan.
        outputs: Type and shape of each output of the network.
        errors: What was logged as an error.
        workspace: The answers of ``get_workspace_size``, by question.
        fields: What ``get_fields_to_serialize`` answered, each answer once.
        written: What was written to standard error.
    """

    parsed: bool
    plan: bool
    outputs: tuple[Any, ...]
    errors: tuple[str, ...]
    workspace: dict[str, int]
    fields: tuple[tuple[str, ...], ...]
    written: str


@dataclasses.dataclass(frozen=True)
class Outcome(Record):
    """The results of both runtimes for one build.

    Attributes:
        types: The types of the case's data inputs.
        theirs: What NVIDIA's builder came to; None where the process ended before.
        again: What it came to when it was asked once more.
        death: How the process ended, if it should not have.
        ours: What the reference runtime came to; None where it did not.
        misdeeds: What a library in C++ did wrong in calls of NVIDIA's builder, each once.
    """

    types: tuple[str, ...]
    theirs: Seen | None
    again: Seen | None
    death: Death | None
    ours: Seen | None
    misdeeds: tuple[Misdeed, ...] = ()


@dataclasses.dataclass(frozen=True)
class Outcomes(Record):
    """The results of all builds of a case.

    Attributes:
        builder: NVIDIA's builder, by name and version.
        builds: Each build.
        unusable: Why none could be tried; empty where they were.
    """

    builder: str
    builds: tuple[Outcome, ...] = ()
    unusable: str = ""
