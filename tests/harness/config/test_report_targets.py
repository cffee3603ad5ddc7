"""A report is written where it can be, and over nothing that somebody wrote by hand."""

import pytest

from harness.config.report_targets import STDOUT, ReportFormat, ReportTarget, ReportTargetError


def test_a_path_is_seen_from_the_folder_and_a_dash_is_standard_output(tmp_path):
    assert ReportTarget.parse("json:out/r.json", tmp_path) == ReportTarget(
        ReportFormat.JSON, tmp_path / "out" / "r.json"
    )
    assert ReportTarget.parse("markdown:-", tmp_path).path == STDOUT


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("r.json", "write it as FORMAT:PATH"),
        ("jsn:r", "did you mean 'json'"),
        ("junit:r.xml", "--junitxml=r.xml"),
        ("json:plugin.py", "would be lost"),
        ("json:folder", "is a folder"),
        ("json:plugin.py/r.json", "is no folder"),
    ],
)
def test_what_cannot_be_written_is_told(tmp_path, text, told):
    (tmp_path / "plugin.py").write_text("x = 1")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ReportTargetError, match=told):
        ReportTarget.parse(text, tmp_path)


def test_two_reports_in_one_place_are_refused(tmp_path):
    targets = [ReportTarget.parse(text, tmp_path) for text in ("json:r", "html:x/../r")]
    with pytest.raises(ReportTargetError, match="two reports, json and html"):
        ReportTarget.refuse_twice(targets)
