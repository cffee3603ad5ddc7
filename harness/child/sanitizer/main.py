"""The process that a tool watches: it imports the user's module anew, executes one case, and writes down how."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from harness.child import task, user_module
from harness.child.main import leave_no_trace_in_path, the_judge
from harness.protocol.messages import ChildTask


def main() -> None:
    """Do what the file says that the last argument but one names, and write the answer to the last."""
    asked, answer = Path(sys.argv[-2]), Path(sys.argv[-1])
    del sys.argv[1:]
    leave_no_trace_in_path()
    asked_for = ChildTask.from_plain(json.loads(asked.read_text("utf-8")))
    settings = dataclasses.replace(asked_for.settings, module=asked_for.settings.given)
    task.settle_chance(asked_for.request.seed)
    judge = user_module.load_the_judge(settings, the_judge)
    user_module.bring_in(settings, judge)
    answer.write_text(json.dumps(judge.judge(asked_for.request.to_plain())), "utf-8")
