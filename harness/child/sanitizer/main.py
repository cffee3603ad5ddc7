"""The process that a tool watches: it imports the user's module anew, executes one case, and writes down how."""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path

from harness.child import task, user_module
from harness.child.main import leave_no_trace_in_path
from harness.protocol.messages import ChildTask


def main() -> None:
    """Do the errand that the last argument but one names, and write the answer to the last."""
    asked, answer = Path(sys.argv[-2]), Path(sys.argv[-1])
    del sys.argv[1:]
    leave_no_trace_in_path()
    errand = ChildTask.from_plain(json.loads(asked.read_text("utf-8")))
    settings = dataclasses.replace(errand.settings, module=errand.settings.given)
    task.settle_chance(errand.request.seed)
    judging, _ = user_module.bring_in(settings)
    answer.write_text(json.dumps(judging.judge(errand.request.to_plain())), "utf-8")
