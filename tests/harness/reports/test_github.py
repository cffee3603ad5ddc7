"""Annotations for GitHub Actions are one line each, whatever they hold, and never more than GitHub shows."""

from harness.reports import github, markdown


def failing(make, number, severity="error", verdict="FAIL"):
    return make.result(f"FMT-{number:03}", verdict, make.violation(f"wrong {number}"), severity=severity)


def test_errors_come_first_then_warnings_and_an_expected_failure_is_none(make):
    error, warning = github.render(make.usual()).splitlines()
    assert error.startswith(
        "::error file=src/bar plugin.py,line=42,title=FMT-001 FAIL%2C /Bar/1 on rows::"
        "supports_format_combination looked past pos=0%0Awhere: in_out[1:]%0A"
    )
    assert warning.startswith("::warning file=src/bar plugin.py,line=76,title=CFG-001 WARN%2C /Bar/1 on rows::")


def test_nothing_is_said_where_nothing_is_wrong(make):
    assert github.render(make.document(make.plugin(make.result("FMT-001"), verdict="CONFORMS"))) == ""


def test_a_warning_that_fails_the_run_is_an_error(make):
    result = {**failing(make, 1, "warning", "WARN"), "fails": True}
    assert github.render(make.document(make.plugin(result))).startswith("::error ")


def test_what_means_something_to_github_is_escaped(make):
    violation = make.violation("100%\n::error::no\r,:", "a:b,c")
    plugin = make.plugin(make.result("FMT-001", "FAIL", violation), file="/repo/a,b:c.py", methods={})
    (line,) = github.render(make.document(plugin)).split("\n")[:-1]
    assert line.startswith("::error file=a%2Cb%3Ac.py,line=76,")
    assert "100%25%0A::error::no%0D,:" in line


def test_the_tenth_annotation_says_how_many_more_there_are(make):
    errors = [failing(make, number) for number in range(25)]
    warnings = [failing(make, 100 + number, "warning", "WARN") for number in range(10)]
    lines = github.render(make.document(make.plugin(*errors, *warnings))).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error"] * 10 + ["::warning"] * 10
    assert "16 more errors are not annotated here" in lines[9]
    assert "more" not in lines[19]


def test_an_interrupted_run_is_an_error(make):
    (line,) = github.render(make.document(status="interrupted")).splitlines()
    assert line.startswith("::error title=TensorRT plugin conformance::the run was interrupted")


def test_a_long_message_is_cut_before_github_cuts_it(make):
    result = make.result("FMT-001", "FAIL", make.violation("x" * 20_000))
    (line,) = github.render(make.document(make.plugin(result))).splitlines()
    assert len(line.rpartition("::")[2]) == github.LONGEST_MESSAGE


def test_a_summary_leaves_room_for_what_the_step_has_said_already(make):
    results = [make.result(f"FMT-{n:03}", "FAIL", make.violation("x" * 2_000)) for n in range(900)]
    document = make.document(make.plugin(*results))
    there = 1_000_000
    assert there + len(github.summary(document, there).encode()) <= github.SUMMARY
    assert len(github.summary(document).encode()) > markdown.COMMENT
