"""Reports of compute-sanitizer, as the real one wrote them on a GPU, are read."""

import pytest

from harness.child.sanitizer.report import ReportError, SanitizerRecord, records_of
from reference_runtime.devices.cuda_planted import KERNEL
from tests.support.sanitizer_reports import recorded


def test_an_access_behind_the_end():
    first, *others = records_of(recorded("memcheck_read_behind_the_end"))
    assert first == SanitizerRecord(
        kind="Precise",
        text="Invalid __global__ read of size 4 bytes is out of bounds",
        level="Error",
        kernel="oob_read",
        place="oob_read+0xc0",
        thread="(9,0,0)",
        block="(0,0,0)",
        address=0x7FD8DC800028,
        size=4,
    )
    assert {each.kind for each in others} == {"Api"}


def test_the_line_of_python_that_launched_the_kernel_is_the_innermost():
    (record,) = records_of(recorded("memcheck_with_host_stack"))
    assert record.launched == "run in faults.py:45"


def test_a_kernel_with_line_numbers_names_its_source():
    (record,) = records_of(recorded("memcheck_with_line_numbers"))
    assert record.place == "e7e5db8eb911eeb6a7be34d1b851758a44e7a7e5.cubin.cu:4"


def test_shared_memory_has_small_addresses():
    record = records_of(recorded("memcheck_shared_memory"))[0]
    assert (record.text, record.address) == ("Invalid __shared__ write of size 4 bytes is out of bounds", 0x500)


def test_an_address_that_is_not_aligned():
    record = records_of(recorded("memcheck_misaligned"))[0]
    assert record.text == "Invalid __global__ read of size 4 bytes is misaligned"


def test_memory_that_nobody_wrote():
    first, second = records_of(recorded("initcheck_two_threads"))
    assert (first.kind, first.level, first.thread, second.thread) == ("Initcheck", "", "(254,0,0)", "(255,0,0)")
    assert (first.text, first.size) == ("Uninitialized __global__ memory read of size 4 bytes", 4)


def test_copies_are_another_kind():
    assert {record.kind for record in records_of(recorded("initcheck_copies_only"))} == {"InitcheckApiError"}


def test_a_race_has_two_places():
    (record,) = records_of(recorded("racecheck_race"))
    assert (record.kind, record.level, record.kernel) == ("Analysis", "Error", "race")
    assert record.text == "Race condition between write at race+0xb0 and read at race+0xc0"


def test_what_the_tool_is_not_sure_of_is_a_warning():
    (record,) = records_of(recorded("racecheck_warning_in_a_library"))
    assert (record.kind, record.level) == ("Analysis", "Warning")


def test_hazards_are_records_too():
    assert [record.kind for record in records_of(recorded("racecheck_hazards"))] == ["Hazard", "Hazard"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("synccheck_mask", "Barrier error: Invalid arguments"),
        ("synccheck_divergent", "Barrier error: Divergent thread(s) in warp"),
    ],
)
def test_a_barrier_says_what_is_wrong_with_it(name, text):
    (record,) = records_of(recorded(name))
    assert (record.kind, record.text) == ("Synccheck", text)


def test_a_run_of_ours_begins_with_the_planted_fault():
    planted, found = records_of(recorded("memcheck_with_planted_fault"))
    assert planted.kernel == KERNEL
    assert found.launched == "enqueue in sound_kernel.py:50"


def test_an_empty_report_has_no_records():
    assert records_of(recorded("nothing_found")) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("<ComputeSanitizerOutput><record>", "is no XML"),
        ("", "is no XML"),
        ("<valgrindoutput/>", "begins with <valgrindoutput>, not with <ComputeSanitizerOutput>"),
        (
            "<ComputeSanitizerOutput><record><what><address>here</address></what></record></ComputeSanitizerOutput>",
            "holds 'here', which is no number",
        ),
    ],
)
def test_what_is_no_report_is_told(text, why):
    with pytest.raises(ReportError, match=why):
        records_of(text)
