"""Ask a new interpreter in other surroundings, which imports the user's module, what the plugin does there.

Theory. A fork inherits the order of sets and what was read when the module was imported. A new interpreter has other
hashes, another environment and, once the module is imported, another working folder. It costs as much as an import: it
is for plugins whose code may depend on any of these.
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

#: Seconds of its own that it may take: the rule has a deadline, too.
_SECONDS: Final = 60.0
#: The hashes of the child's own process are those of 0.
OTHER_HASHES: Final = {"PYTHONHASHSEED": "7"}


class FailedElsewhereError(NotRun):
    """A callback of the plugin failed in the new interpreter."""


def told_elsewhere(subject: Subject, environment: Mapping[str, str], without: frozenset[str] = frozenset()) -> Any:
    """Return what a plugin stores and computes where environment variables are others, or not there.

    Raises:
        FailedElsewhereError: A callback failed there.
        NotRun: It does not get there, or the process cannot be started.
    """
    if subject.task is None:
        raise NotRun("the subject was made outside a child")
    task = dataclasses.replace(subject.task, request=subject.task.request.asking(RequestKind.ELSEWHERE))
    kept = {name: value for name, value in os.environ.items() if name not in without}
    with temporary_folder() as folder:
        asked, answer = Path(folder) / "asked.json", Path(folder) / "answer.json"
        asked.write_text(json.dumps(task.to_plain()), "utf-8")
        try:
            own_clock.run(
                command(asked, answer, Path(folder)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**kept, **environment},
                seconds=_SECONDS,
            ).check_returncode()
            told = json.loads(answer.read_text("utf-8"), object_hook=unpacked)
        except (subprocess.SubprocessError, OSError, ValueError) as error:
            raise NotRun(f"a new interpreter did not answer: {type(error).__name__}") from error
    if told["payload"] is None:
        if told["reason"]:
            raise NotRun(f"in a new interpreter {told['reason']}")
        raise FailedElsewhereError("in a new interpreter a callback failed")
    return told["payload"]
