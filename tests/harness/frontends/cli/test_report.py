"""Other reports are made of a stored one, and a file that is none is one clear error."""

import json

import pytest

from harness.config.report_targets import ReportFormat
from harness.frontends.cli import main, report
from harness.reports import writing
from harness.results.report import schema_text


@pytest.fixture(autouse=True)
def stored(make, tmp_path, monkeypatch):
    """A stored report, in the current folder."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "report.json"
    file.write_text(writing.RENDERERS[ReportFormat.JSON](make.usual()))
    return file


def test_every_format_is_what_the_run_itself_would_have_written(make, tmp_path):
    forms = [form for form in writing.RENDERERS if form is not ReportFormat.PERFETTO]  # its traces are not stored
    assert main.main(["report", "report.json", *(f"{form.value}:out/{form.value}" for form in forms)]) == 0
    written = {form: (tmp_path / "out" / form.value).read_text() for form in forms}
    assert json.loads(written.pop(ReportFormat.JSON)) == make.usual()
    assert written == {form: writing.RENDERERS[form](make.usual()) for form in written}


def test_standard_output_takes_any_format(capsys):
    assert main.main(["report", "report.json", "markdown:-"]) == 0
    assert capsys.readouterr().out.startswith("## TensorRT plugin conformance: 1 of 1 plugin not certified\n")


def test_the_schema_is_printed(capsys):
    assert main.main(["schema", "report"]) == 0
    assert capsys.readouterr().out == schema_text()


def test_no_report_is_written_over_the_one_that_it_is_made_of(stored, capsys):
    before = stored.read_text()
    assert main.main(["report", "report.json", "html:./report.json"]) == 4
    assert "would replace it: name another file" in capsys.readouterr().err
    assert stored.read_text() == before


def change(file, **more):
    file.write_text(json.dumps({**json.loads(file.read_text()), **more}))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda file: file.unlink(), "cannot be read: No such file or directory"),
        (lambda file: file.write_text(file.read_text()[:-40]), "is damaged or no JSON: "),
        (lambda file: file.write_bytes(b"\xff\xfe\x00"), "is damaged or no JSON: "),
        (lambda file: file.write_text("[" * 100_000), "is damaged or no JSON: "),
        (lambda file: file.write_text('{"version": "2.1.0"}'), "is no report: name a file that --plugin-report=json:"),
        (lambda file: change(file, schema=2), "is a report of schema 2, and this version reads schema 1. Use the ver"),
        (lambda file: change(file, later=1), "is no valid report: later is no field of it; certify again"),
        (lambda file: change(file, level=7), "is no valid report: level is 7, not one of 1, 5, 10; certify again"),
        (lambda file: change(file, rules={}), "is no valid report: rules has no 'FMT-001'; certify again"),
    ],
)
def test_a_file_that_is_no_report_is_one_error_and_nothing_is_written(stored, tmp_path, capsys, damage, told):
    damage(stored)
    assert main.main(["report", "report.json", "markdown:out.md"]) == 4
    shown = capsys.readouterr()
    assert shown.out == ""
    (line,) = shown.err.splitlines()
    assert line.startswith(f"trt-conformance: error: report.json {told}")
    assert not (tmp_path / "out.md").exists()


@pytest.mark.parametrize(
    ("targets", "told"),
    [
        (["markdwn:a"], "markdwn:a: unknown format; choose from json, sarif, github, markdown"),
        (["json:a", "sarif:a"], "sarif:a: two reports, json and sarif, would be written to "),
        (["junit:a.xml"], "junit:a.xml: pytest writes JUnit XML itself"),
    ],
)
def test_a_target_that_makes_no_sense_is_one_error(stored, capsys, targets, told):
    assert main.main(["report", str(stored), *targets]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"trt-conformance: error: {told}")


def test_a_report_that_cannot_be_written_is_told(capsys, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(writing, "replace", refuse)
    assert main.main(["report", "report.json", "markdown:out.md"]) == 1
    assert "out.md could not be written: [Errno 28] No space left on device" in capsys.readouterr().err


def test_a_fault_of_a_format_is_an_internal_error(capsys, monkeypatch):
    monkeypatch.setattr(writing, "RENDERERS", {ReportFormat.SARIF: lambda _: 1 // 0})
    assert main.main(["report", "report.json", "sarif:-"]) == 3
    assert "the sarif report failed by itself; please report this: ZeroDivisionError" in capsys.readouterr().err


def test_what_was_stored_by_hand_is_made_presentable(stored, make):
    document = make.usual()
    document["databases"] = ["\ud800", "x" * 30_000]
    stored.write_text(json.dumps(document))
    read = report.read(stored)
    assert read["databases"][0] == "\\ud800"
    assert len(read["databases"][1]) < 30_000
