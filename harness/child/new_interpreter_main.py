"""Answer one request in a new interpreter: import the user's module, judge, write the answer, and end.

The process that starts it writes the request into a file and reads the answer from a second file.
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
    """Read the request from the file ``sys.argv[1]``, and write the answer into the file ``sys.argv[2]``.

    If there is a third argument, it is the working folder once the module is imported.
    """
    request, answer, *folders = map(Path, sys.argv[1:])
    del sys.argv[1:]
    own_names.leave_no_trace_in_path()
    child_task = ChildTask.from_plain(json.loads(request.read_text("utf-8")))
    settings = dataclasses.replace(child_task.settings, module=child_task.settings.given)
    task.settle_chance(child_task.request.seed)
    judge = user_module.load_the_judge(settings, the_judge)
    from_source.install()
    user_module.bring_in(settings, judge)
    for folder in folders:
        os.chdir(folder)
    answer.write_text(json.dumps(judge.judge(child_task.request.to_plain())), "utf-8")
