"""Offer the outcomes of a case's builds to rules: the builder's name, its messages, and differences between builds."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

import msgspec

from harness.child.nvidias_builder.outcomes import Outcomes
from harness.child.nvidias_builder.running import outcomes_of
from harness.contract.finding import NotRun
from harness.contract.interface import Interface

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.child.nvidias_builder.outcomes import Seen
    from harness.subject.subject import Subject

#: How a message of the bindings about a failed callback begins.
_OF_THE_BINDINGS: Final = "[ERROR]"
#: A frame of the traceback below that message.
_FRAME: Final = re.compile(r"\s+(/.*)\((\d+)\): \w+")


class Message(msgspec.Struct, frozen=True):
    """The text of an error, and the file and line of the plugin that it names, if any."""

    text: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({PurePath(self.place).name})" if self.place else self.text


def outcomes(subject: Subject) -> Outcomes:
    """Return the outcomes of the builds of the subject's case, which are done once for all rules.

    Raises:
        NotRun: The case cannot be built like this; the argument says why.
    """
    if subject.interface is not Interface.V3:
        raise NotRun(f"the builder takes plugins of IPluginV3 alone, and this is {subject.interface.value}")
    all_builds = Outcomes.from_plain(
        subject.known("the outcomes of NVIDIA's builder", lambda: outcomes_of(subject).to_plain())
    )
    if all_builds.unusable:
        raise NotRun(f"the module cannot be used with {all_builds.builder}: {all_builds.unusable}")
    return all_builds


def builder_of(seen: Outcomes) -> str:
    """Return how findings name the builder."""
    return f"NVIDIA's builder ({seen.builder})"


def errors_of(seen: Seen) -> list[Message]:
    """Return the errors of a build: those about failed callbacks from the bindings, then those of the builder."""
    return [*dict.fromkeys((*_written(seen.written), *map(Message, seen.errors)))]


def differences(one: Seen, other: Seen | None) -> Iterator[tuple[str, str, str]]:
    """Yield each result that differs between two builds of one model: its name, and its value in either build.

    Workspaces are compared only for arguments that both builders have passed to ``get_workspace_size``.
    """
    if other is None or not other.plan:
        why = errors_of(other)[:1] if other else []
        yield "outcome", "a plan", f"no plan: {why[0].text}" if why else "no plan"
        return
    if one.outputs != other.outputs:
        yield "set of output types and shapes", str(list(one.outputs)), str(list(other.outputs))
    for question, answer in one.workspace.items():
        if other.workspace.get(question, answer) != answer:
            yield (
                f"answer of get_workspace_size for {question}",
                f"{answer} bytes",
                f"{other.workspace[question]} bytes",
            )
    if one.fields != other.fields:
        yield "answer of get_fields_to_serialize", str(list(one.fields)), str(list(other.fields))


def _written(text: str) -> Iterator[Message]:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith(_OF_THE_BINDINGS):
            frames = (_FRAME.match(each) for each in lines[number + 1 :])
            frame = next(filter(None, frames), None)
            yield Message(line.removeprefix(_OF_THE_BINDINGS).strip(), f"{frame[1]}:{frame[2]}" if frame else "")
