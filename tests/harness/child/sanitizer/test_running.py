"""A case under a tool: the process runs, its report is read, and whatever keeps it from that is told.

A program of the tool's name runs the process on the host device, and hands out reports that the real one wrote.
"""

import dataclasses
import sys

import pytest

from harness.child.new_interpreter import command
from harness.child.sanitizer import running
from harness.child.sanitizer.running import watched
from harness.contract.finding import NotRun
from harness.contract.sanitizer_tool import Tool
from harness.process import compute_sanitizer
from harness.protocol.messages import ChildSettings, ChildTask, Request
from tests.support.sanitizer_reports import install, recorded, with_planted


@dataclasses.dataclass(frozen=True)
class Subject:
    """As much of a subject as a tool needs."""

    task: ChildTask | None


@pytest.fixture
def watch(tmp_path, monkeypatch, request):
    def watch_bar(tool, report, module="plugin_examples.bar", **rest):
        install(tmp_path, monkeypatch, report, **rest)
        settings = ChildSettings(module, path=(str(request.config.rootpath),), given=module)
        return watched(tool, Subject(ChildTask(settings, Request("SAN-001", "/Bar/1", "rows"))))

    return watch_bar


def test_a_silent_report_of_a_whole_run(watch, tmp_path):
    seen = watch(Tool.MEMCHECK, with_planted(recorded("nothing_found")))
    assert (seen.records, seen.trouble) == ((), "")
    assert len(seen.executions) == 4
    assert {piece.label for piece in seen.memory} >= {"inputs[0]", "outputs[0]", "workspace"}
    assert "memcheck" in (tmp_path / "arguments").read_text().splitlines()


def test_what_kernels_did_is_kept_and_refused_calls_are_not(watch):
    seen = watch(Tool.MEMCHECK, with_planted(recorded("memcheck_read_behind_the_end")), runs=False)
    assert [(record.kind, record.kernel) for record in seen.records] == [("Precise", "oob_read")]


def test_a_report_of_a_run_of_ours_has_the_plugin_s_records_alone(watch):
    seen = watch(Tool.MEMCHECK, recorded("memcheck_with_planted_fault"), runs=False)
    assert [record.launched for record in seen.records] == ["enqueue in sound_kernel.py:50"]


def test_a_module_that_was_named_by_its_path_is_found_again(watch):
    seen = watch(Tool.MEMCHECK, with_planted(recorded("nothing_found")), module="plugin_examples/bar.py")
    assert (seen.trouble, len(seen.executions)) == ("", 4)


@pytest.mark.parametrize(
    ("tool", "report"), [(Tool.RACECHECK, "racecheck_warning_in_a_library"), (Tool.INITCHECK, "initcheck_copies_only")]
)
def test_what_proves_nothing_is_left_out(watch, tool, report):
    seen = watch(tool, with_planted(recorded(report)))
    assert (seen.records, seen.trouble) == ((), "")


def test_a_process_that_ends_is_told_with_its_last_words(watch):
    seen = watch(Tool.MEMCHECK, with_planted(recorded("nothing_found")), module="no_such_module")
    assert seen.trouble.startswith("the process ended under memcheck: ")
    assert "no_such_module" in seen.trouble


def test_a_record_of_another_kind_is_told(watch):
    strange = "<record><kind>Novel</kind><what><text>something new</text></what></record>"
    report = with_planted(recorded("nothing_found")).replace("</Comp", f"{strange}</Comp")
    assert watch(Tool.MEMCHECK, report).trouble == "memcheck reports what is not known here: Novel: something new"


@pytest.mark.parametrize("report", ["", "<ComputeSanitizerOutput>"])
def test_no_report_is_no_verdict(watch, report):
    with pytest.raises(NotRun, match=r"memcheck wrote no report: Device not supported$"):
        watch(Tool.MEMCHECK, report, log="========= COMPUTE-SANITIZER\n========= Device not supported\n", runs=False)


def test_a_tool_that_does_not_see_the_planted_fault_sees_nothing(watch):
    with pytest.raises(NotRun, match="synccheck does not report the defect of a test kernel: ERROR SUMMARY: 0 errors"):
        watch(Tool.SYNCCHECK, recorded("nothing_found"), log="========= ERROR SUMMARY: 0 errors", runs=False)


def test_a_tool_that_does_not_end_is_ended(watch, monkeypatch):
    monkeypatch.setattr(running, "SECONDS", running._MARGIN + 0.2)
    for_ever = [sys.executable, "-c", "import signal; signal.pause()"]
    monkeypatch.setattr(command.own_names, "command", lambda *_: for_ever)
    with pytest.raises(NotRun, match=r"it did not end within 0\.2 s under memcheck"):
        watch(Tool.MEMCHECK, with_planted(recorded("nothing_found")))


def test_without_the_program_nothing_is_run(monkeypatch):
    monkeypatch.setattr(compute_sanitizer, "program_path", lambda: None)
    with pytest.raises(NotRun, match="compute-sanitizer is not installed"):
        watched(Tool.MEMCHECK, Subject(ChildTask(ChildSettings("m"), Request("SAN-001", "/P/1", "c"))))


def test_a_subject_of_no_child_is_not_watched(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, recorded("nothing_found"))
    with pytest.raises(NotRun, match="outside a child"):
        watched(Tool.MEMCHECK, Subject(None))
