"""The profile of a run: times are added up by rule, and told from the longest to the shortest."""

import subprocess
import sys
import time
from pathlib import Path

from harness.contract.verdict import Answer, Kind
from harness.protocol.messages import Request
from tools import profile_run

HOME = Path(__file__).parents[2]


class Answering:
    """Answers each request with its rule."""

    def ask(self, request):
        return Answer(Kind.JUDGED, reason=request.rule)


def test_requests_are_passed_on_and_timed_by_rule():
    timed = profile_run.Timed(Answering())
    answers = [timed.ask(Request(rule, "/P/1", "a", 0)) for rule in ("FMT-002", "FMT-001", "FMT-002")]
    assert [answer.reason for answer in answers] == ["FMT-002", "FMT-001", "FMT-002"]
    assert dict(timed.requests) == {"FMT-001": 1, "FMT-002": 2}
    timed.seconds.update({"FMT-001": 2.0, "FMT-002": 1.0})
    lines = profile_run.report(timed, time.perf_counter(), top=1)
    assert "3 requests" in lines[0]
    assert [line.split()[0] for line in lines[2:]] == ["FMT-001"]


def test_one_rule_is_profiled_in_this_process():
    command = [sys.executable, HOME / "tools" / "profile_run.py", "plugin_examples.bar", "--rule", "FMT-001", "--top=5"]
    done = subprocess.run(  # noqa: S603 - our own script
        command, cwd=HOME, capture_output=True, text=True, check=True
    )
    assert "cumulative time" in done.stdout
    assert "judge" in done.stdout
