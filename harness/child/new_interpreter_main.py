"""Run a new interpreter: import the user's module, answer one request, and end.

Its caller writes the request into a file and reads the answer from a second file.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path

from harness.child import task, user_module
from harness.child.integrity import from_source
from harness.child.main import the_judge
from harness.contract import own_names
from harness.protocol.messages import ChildTask


def main() -> None:
    """Answer the request of the file ``sys.argv[1]`` in ``sys.argv[2]``, in the folder ``sys.argv[3]`` if given.

    The working folder changes once the module is imported.
    """
    asked, answer, *folders = map(Path, sys.argv[1:])
    del sys.argv[1:]
    own_names.leave_no_trace_in_path()
    asked_for = ChildTask.from_plain(json.loads(asked.read_text("utf-8")))
    settings = dataclasses.replace(asked_for.settings, module=asked_for.settings.given)
    task.settle_chance(asked_for.request.seed)
    judge = user_module.load_the_judge(settings, the_judge)
    from_source.install()
    user_module.bring_in(settings, judge)
    for folder in folders:
        os.chdir(folder)
    answer.write_text(json.dumps(judge.judge(asked_for.request.to_plain())), "utf-8")
