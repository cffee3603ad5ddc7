"""Find out what a plugin stores and computes in a new interpreter with other surroundings.

Theory. A fork inherits the order of sets, and all data that were read when the module was imported. A new interpreter
has other hashes, another environment and, once the module is imported, another working folder. It takes as long as an
import. So rules use it only for plugins whose code may depend on these surroundings.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.checks.observation.in_a_fork import unpacked
from harness.child.new_interpreter.command import command
from harness.contract.finding import NotRun
from harness.process import own_clock
from harness.process.temporary import temporary_folder
from harness.protocol.requests import RequestKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.subject.subject import Subject

#: Seconds by its own clock that the interpreter may take.
_SECONDS: Final = 60.0
#: Variables for hashes of texts that differ from the child's, whose seed is 0.
OTHER_HASHES: Final = {"PYTHONHASHSEED": "7"}


class FailedElsewhereError(NotRun):
    """A callback of the plugin failed in the new interpreter."""


def told_elsewhere(subject: Subject, environment: Mapping[str, str], without: frozenset[str] = frozenset()) -> Any:
    """Return what a plugin stores and computes in a new interpreter.

    Args:
        subject: The plugin on its case.
        environment: Environment variables to set.
        without: The names of environment variables to remove.

    Raises:
        FailedElsewhereError: A callback failed there.
        NotRun: The request could not be answered there, or the process cannot be started.
    """
    if subject.task is None:
        raise NotRun("the subject was made outside a child")
    task = dataclasses.replace(subject.task, request=subject.task.request.asking(RequestKind.ELSEWHERE))
    kept = {name: value for name, value in os.environ.items() if name not in without}
    with temporary_folder() as folder:
        request, answer = Path(folder) / "request.json", Path(folder) / "answer.json"
        request.write_text(json.dumps(task.to_plain()), "utf-8")
        try:
            own_clock.run(
                command(request, answer, Path(folder)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**kept, **environment},
                seconds=_SECONDS,
            ).check_returncode()
            plain = json.loads(answer.read_text("utf-8"), object_hook=unpacked)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            raise NotRun(f"a new interpreter did not answer: {type(error).__name__}") from error
    if plain["payload"] is None:
        if plain["reason"]:
            raise NotRun(f"in a new interpreter {plain['reason']}")
        raise FailedElsewhereError("in a new interpreter a callback failed")
    return plain["payload"]
