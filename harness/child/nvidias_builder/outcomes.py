"""Declare the outcomes of a case's builds, as records that JSON can hold."""

from __future__ import annotations

import dataclasses
from typing import Any

from harness.contract.codec import Record


@dataclasses.dataclass(frozen=True)
class Death(Record):
    """The unexpected end of a process that builds.

    Attributes:
        how: ``died by SIGSEGV``, ``ended with exit status 1`` or ``went no further for 20 s``.
        when: What the builder was doing, in words.
        callback: The last callback; empty if there was none.
        place: The file and line of the last callback.
        words: The last line that the process wrote to its standard error, or the cause in its C++ stack.
        is_late: Whether the build was over.
        hangs: Whether the process was killed because a step took too long.
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
    """A mistake of a C++ library in one call.

    Attributes:
        callback: The callback, by the name under which a rule owns it.
        what: The mistake, in words that follow the callback's name.
    """

    callback: str
    what: str


@dataclasses.dataclass(frozen=True)
class Seen(Record):
    """The result of one build by one runtime.

    Attributes:
        parsed: Whether the model was parsed.
        plan: Whether the builder returned a plan.
        outputs: Type and shape of each output of the network.
        errors: The errors that were logged.
        workspace: The answers of ``get_workspace_size``, by its arguments as text.
        fields: The different answers of ``get_fields_to_serialize``, in order.
        written: The text that was written to standard error.
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
        theirs: The result of NVIDIA's builder; None if its process ended before.
        again: The result of the same build once more by NVIDIA's builder; None if its process ended before.
        death: How the process of NVIDIA's builder ended, if that was unexpected.
        ours: The result of the reference runtime; None if there is none.
        misdeeds: The different mistakes of a C++ library in calls by NVIDIA's builder.
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
        builder: The product name and version of NVIDIA's builder.
        builds: The outcome of each build.
        unusable: Why no build could be tried; empty if builds were tried.
    """

    builder: str
    builds: tuple[Outcome, ...] = ()
    unusable: str = ""
