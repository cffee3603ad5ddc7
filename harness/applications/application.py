"""Define the records of an application's run, which rules judge: its trace, its end and the registry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from harness.contract.finding import NotApplicable

if TYPE_CHECKING:
    from harness.applications.references import Site
    from harness.applications.trace import Trace


class ProgramEnd(msgspec.Struct, frozen=True):
    """The end of the application's function: without an exception, or with the exception that left it.

    Attributes:
        error: The exception's class and text; empty without an exception.
        kind: The exception's class.
        site: The application's line that raised it.
        attribute: For an AttributeError: the missing attribute.
        owner: For an AttributeError: the class of the object that lacks the attribute.
        stack: The traceback.
        hidden: The last error of a callback before that, with its line. TensorRT does not pass it on.
    """

    error: str = ""
    kind: str = ""
    site: Site | None = None
    attribute: str = ""
    owner: str = ""
    stack: str = ""
    hidden: str = ""


class RegistryFacts(msgspec.Struct, frozen=True):
    """The registry's creators when the application ended, each by name, version and namespace.

    ``version_2`` has creators of version 2, ``version_3`` all others.
    """

    version_2: frozenset[tuple[str, str, str]] = frozenset()
    version_3: frozenset[tuple[str, str, str]] = frozenset()


class Application(msgspec.Struct, frozen=True):
    """One run of an application.

    Attributes:
        name: ``module:function``.
        file: The file that defines the function.
        trace: Its calls, callbacks and accesses to memory.
        ending: The end of the function.
        registry: The registry's creators at the end.
        spec: The API level.
        beyond: Why a part of the run needs a GPU, so that violations may follow from that; empty if everything ran.
    """

    name: str
    file: str
    trace: Trace
    ending: ProgramEnd = ProgramEnd()
    registry: RegistryFacts = RegistryFacts()
    spec: str = "10"
    beyond: str = ""

    def occasions(self, events: Iterator[Any], otherwise: str) -> Sequence[Any]:
        """Return the events that a rule judges, as a list.

        Raises:
            NotApplicable: There are none; the reason is ``otherwise``.
        """
        occasions = list(events)
        if not occasions:
            raise NotApplicable(otherwise)
        return occasions
