"""What people write as a case, or leave to the harness, whole runs: a wrong case is never a defect of the plugin."""

import pytest

from tests.support.planted import PLUGINS, edited

pytest_plugins = ["pytester"]

PLUGIN = "bias_plugin"
REFERENCE = 'lambda x, *, fields: fields["gain"][0] * x + fields["bias"].reshape(1, -1, 1, 1)'
#: The line of the reference, and of the case, in the file of cases.
LINE, CASE_LINE = 19, 6
REFUSED = "raise ValueError('no channel is right')"

WRONG = {
    "signature": (REFERENCE, "lambda x, y, *, fields: x", rf"*missing 1 required *'y', *{PLUGIN}_cases.py:{LINE}"),
    "exception": (REFERENCE, 'lambda x, *, fields: fields["no"]', rf"*KeyError: 'no', *{PLUGIN}_cases.py:{LINE}"),
    "library": (REFERENCE, "lambda x, *, fields: np.linalg.inv(x[0, 0, :1])", f"*, in *{PLUGIN}_cases.py:{LINE}"),
    "nothing": (REFERENCE, "lambda x, *, fields: None", f"*returned arrays of object, *{PLUGIN}_cases.py:{LINE}"),
    "key": ('"reference":', '"refrence":', f"*PLUGIN_CASES[[]0] ({PLUGIN}_cases.py:{CASE_LINE})*'refrence'*"),
}
BY_DAY = {"signature", "key"}


@pytest.fixture
def written(pytester):
    """Write the plugin and its case, each with one text replaced."""

    def write(old="", new="", in_plugin=()):
        (pytester.path / f"{PLUGIN}.py").write_text(edited(PLUGIN, in_plugin))
        cases = (PLUGINS / f"{PLUGIN}_cases.py").read_text()
        assert not old or cases.count(old) == 1
        (pytester.path / f"{PLUGIN}_cases.py").write_text(cases.replace(old, new))

    return write


@pytest.mark.parametrize(
    "wrong", [pytest.param(name, marks=() if name in BY_DAY else pytest.mark.nightly) for name in WRONG]
)
def test_a_wrong_case_is_a_usage_error_with_its_line(written, certify_as_a_user, wrong):
    old, new, message = WRONG[wrong]
    written(old, new)
    result, report = certify_as_a_user(f"--plugin-module={PLUGIN}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert report is None
    result.stderr.fnmatch_lines([f"ERROR: {message}"])


@pytest.mark.nightly
def test_a_file_of_cases_that_is_named_and_found_counts_once(written, certify_as_a_user):
    written()
    options = (f"--plugin-module={PLUGIN}", f"--plugin-cases={PLUGIN}_cases.py", "--plugin-select=ID")
    result, report = certify_as_a_user(*options)
    assert result.ret == pytest.ExitCode.OK
    assert [entry["case"] for entry in report["plugins"]] == ["images"]


@pytest.mark.nightly
def test_a_reference_of_another_shape_is_named_beside_the_plugins_expressions(written, certify_as_a_user):
    written(REFERENCE, "lambda x, *, fields: x[0]")
    result, _ = certify_as_a_user(f"--plugin-module={PLUGIN}", "--plugin-select=SHP-008")
    result.stdout.fnmatch_lines(
        [f"  fix *get_output_dimensions*Or correct the reference, in *{PLUGIN}_cases.py:{LINE}."]
    )


@pytest.mark.nightly
def test_without_a_case_that_the_plugin_takes_the_other_rules_judge(written, certify_as_a_user, pytester):
    enqueue = "            y[...] = self.gain * x"
    written(in_plugin=[(enqueue, f"            {REFUSED}\n{enqueue}")])
    (pytester.path / f"{PLUGIN}_cases.py").unlink()
    result, report = certify_as_a_user(f"--plugin-module={PLUGIN}")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    line = (pytester.path / f"{PLUGIN}.py").read_text().splitlines().index(f"            {REFUSED}") + 1
    result.stdout.fnmatch_lines(
        [
            "INCOMPLETE · CASE: *",
            f"  what *guesses *enqueue raised ValueError: no channel is right ({PLUGIN}.py:{line})*",
            "  missing * they need a case; *",
            "  fix *",
        ]
    )
    result.stdout.no_fnmatch_line("*IMPORT*")
    assert report["counts"]["PASS"] > 20
