"""What a tool reports becomes a violation that names the tool, the kernel, the access, the memory and the thread."""

import pytest

from conformance.rules import sanitizing
from harness.child.sanitizer.memory import Piece
from harness.child.sanitizer.report import records_of
from harness.child.sanitizer.running import SanitizedRun
from harness.contract.finding import NotRun
from tests.support.sanitizer_reports import recorded

SHAPES = ((2, 5),)
X = Piece("inputs[0]", 0x7FD8DC800000, 40, SHAPES)
W = Piece("workspace", 0x7FD8DC800000, 40, SHAPES)


def findings_of(rule, monkeypatch, seen):
    monkeypatch.setattr(sanitizing, "watched", lambda *_: seen)
    return rule.judge(None)


def violations_of(rule, monkeypatch, name, *memory):
    kinds = {"Precise", "Initcheck", "Analysis", "Synccheck"}
    records = tuple(record for record in records_of(recorded(name)) if record.kind in kinds)
    found = list(findings_of(rule, monkeypatch, SanitizedRun(records, (SHAPES,), memory)))
    assert found[-1].violation is None
    return [finding.violation for finding in found[:-1]]


def test_a_read_behind_an_input(monkeypatch):
    (violation,) = violations_of(
        sanitizing.kernels_stay_inside_their_memory, monkeypatch, "memcheck_read_behind_the_end", X
    )
    assert violation.what == "memcheck: kernel oob_read: Invalid __global__ read of size 4 bytes is out of bounds"
    assert violation.where == "at oob_read+0xc0, thread (9,0,0) of block (0,0,0), input shapes [(2, 5)]"
    assert violation.observed == "address 0x7fd8dc800028; right behind the end of inputs[0] (40 bytes)"
    assert "ENQ-006" in violation.expected


def test_a_read_behind_the_workspace_is_told_as_such(monkeypatch):
    (violation,) = violations_of(
        sanitizing.kernels_stay_inside_their_memory, monkeypatch, "memcheck_read_behind_the_end", W
    )
    assert "WSP-003" in violation.expected
    assert "get_workspace_size" in violation.fix


def test_what_many_threads_do_is_one_violation(monkeypatch):
    (violation,) = violations_of(sanitizing.kernels_stay_inside_their_memory, monkeypatch, "memcheck_shared_memory", X)
    assert violation.observed == "address 0x500; reported 4 times"


def test_the_line_that_launched_the_kernel_is_named(monkeypatch):
    (violation,) = violations_of(sanitizing.kernels_stay_inside_their_memory, monkeypatch, "memcheck_with_host_stack")
    assert "launched by run in faults.py:45" in violation.where


@pytest.mark.parametrize(
    ("label", "rule"), [("outputs[0]", "ENQ-005"), ("workspace", "WSP-008"), ("inputs[0]", "writes memory before")]
)
def test_memory_that_nobody_wrote(monkeypatch, label, rule):
    piece = Piece(label, 0x7F6766800000, 4096, SHAPES)
    (violation,) = violations_of(sanitizing.kernels_read_what_was_written, monkeypatch, "initcheck_two_threads", piece)
    assert violation.observed == f"address 0x7f6766800ff8; byte 4,088 of {label} (4,096 bytes); reported 2 times"
    assert rule in violation.expected


def test_a_race(monkeypatch):
    (violation,) = violations_of(sanitizing.threads_wait_before_they_share, monkeypatch, "racecheck_race")
    assert violation.what == "racecheck: kernel race: Race condition between write at race+0xb0 and read at race+0xc0"
    assert "__syncthreads" in violation.fix


def test_a_barrier(monkeypatch):
    (violation,) = violations_of(sanitizing.barriers_are_met_by_those_they_name, monkeypatch, "synccheck_mask")
    assert violation.what == "synccheck: kernel trial: Barrier error: Invalid arguments"
    assert violation.where == "at trial+0xa0, thread (0,0,0) of block (0,0,0), launched by <module> in sync.py:13"


def test_a_run_that_did_not_end_is_no_pass(monkeypatch):
    findings = findings_of(
        sanitizing.kernels_stay_inside_their_memory,
        monkeypatch,
        SanitizedRun((), (SHAPES,), trouble="the process ended"),
    )
    with pytest.raises(NotRun, match="the process ended"):
        list(findings)


def test_executions_without_a_report_are_evidence(monkeypatch):
    found = list(
        findings_of(sanitizing.kernels_stay_inside_their_memory, monkeypatch, SanitizedRun((), (SHAPES, SHAPES)))
    )
    assert [finding.violation for finding in found] == [None, None]
