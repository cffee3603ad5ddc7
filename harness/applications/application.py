"""Hold the application under test, as rules see it: what it did, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from harness.contract.finding import NotApplicable

if TYPE_CHECKING:
    from harness.applications.references import Site
    from harness.applications.trace import Trace


class ProgramEnd(msgspec.Struct, frozen=True):
    """Hold how the function ended: without an exception, or with the exception that left it.

    Attributes:
        error: The exception's class and text; empty where there was none.
        kind: The exception's class.
        site: The line that raised it.
        attribute: Of an AttributeError: the name that was looked for.
        owner: Of an AttributeError: the class of the object that lacks the attribute.
        stack: The traceback.
    """

    error: str = ""
    kind: str = ""
    site: Site | None = None
    attribute: str = ""
    owner: str = ""
    stack: str = ""


class RegistryFacts(msgspec.Struct, frozen=True):
    """The registry when the application ended: name, version and namespace of each creator, by the kind of creator."""

    version_2: frozenset[tuple[str, str, str]] = frozenset()
    version_3: frozenset[tuple[str, str, str]] = frozenset()


class Application(msgspec.Struct, frozen=True):
    """One run of an application.

    Attributes:
        name: ``module:function``.
        file: Where the function is written.
        trace: What it did.
        ending: How it ended.
        registry: What the registry held at the end.
        spec: The API level.
        beyond: What of it only a GPU could have run; empty where everything ran.
    """

    name: str
    file: str
    trace: Trace
    ending: ProgramEnd = ProgramEnd()
    registry: RegistryFacts = RegistryFacts()
    spec: str = "10"
    beyond: str = ""

    def occasions(self, found: Iterator[Any], otherwise: str) -> Sequence[Any]:
        """Return all occasions on which a rule can be judged.

        Raises:
            NotApplicable: There are none; ``otherwise`` says what the application does not do.
        """
        occasions = list(found)
        if not occasions:
            raise NotApplicable(otherwise)
        return occasions
