"""certify, verify and badge as a user types them: what comes of it, what is printed, and the exit status."""

import json
import os
import shutil
import signal

import pytest

from harness.certificate import inner
from harness.certificate.files import FileError, Files, digest_of_file
from harness.contract.finding import Violation
from harness.contract.rule import Severity
from harness.contract.verdict import Result, Verdict
from harness.frontends.cli import certificates, main
from tests.support.certificates import issue

PLUGIN = "from stub_contract import *\n"


@pytest.fixture
def folder(stubs, tmp_path, monkeypatch):  # noqa: ARG001 - stubs take effect
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_plugin.py").write_text(PLUGIN)
    return tmp_path


@pytest.fixture
def certified(issued, folder):
    """A copy of the folder in which a package was certified."""
    shutil.copytree(issued.folder, folder, dirs_exist_ok=True)
    return folder


def certificate(folder):
    return json.loads((folder / "out" / "cert.json").read_bytes())


def test_what_conforms_is_certified_and_verified(folder, capsys):
    assert issue(folder, "my_plugin") == 0
    told = capsys.readouterr().out
    assert "certificate  out/cert.json · CONFORMS level 5, TensorRT 10 · in-toto result PASSED" in told
    assert "of         1 file (my_plugin.py)" in told
    assert "Only a signature shows" in told
    assert main.main(["verify", "out/cert.json"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("VALID  out/cert.json · CONFORMS level 5")
    assert "  /Bar/1 · CONFORMS · cases: two-inputs\n" in told
    assert "issued 2023-11-14T22:13:20Z by pytest-trt-conformance" in told


def test_the_run_warns_of_nothing_of_ours(folder, capfd):
    assert issue(folder, "my_plugin") == 0
    assert "warning" not in capfd.readouterr().out.lower()


def test_what_fails_is_certified_as_such_and_does_not_verify(folder, capsys):
    (folder / "my_plugin.py").write_text(f"{PLUGIN}def enq_002(): return 'the sum is wrong'\n")
    assert issue(folder, "my_plugin") == 1
    assert "certificate  out/cert.json · FAILS level 5" in capsys.readouterr().out
    assert certificate(folder)["predicate"]["failedTests"] == ["conformance::/Bar/1::two-inputs::ENQ-002"]
    assert main.main(["verify", "out/cert.json"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "INTACT, AND NO CONFORMITY  out/cert.json",
        "  it says that conformance::/Bar/1::two-inputs FAILS: ENQ-002",
    ]
    assert main.main(["badge", "out/cert.json", "-o", "badge.svg"]) == 0
    assert "fails level 5" in (folder / "badge.svg").read_text()


def test_an_edited_one_does_not_verify_and_its_badge_is_red(certified, capsys):
    text = (certified / "out" / "cert.json").read_text()
    (certified / "out" / "cert.json").write_text(text.replace('"level": 5', '"level": 10'))
    assert main.main(["verify", "out/cert.json"]) == 1
    assert capsys.readouterr().out.startswith("INVALID  out/cert.json\n  it was edited: ")
    assert main.main(["badge", "out/cert.json", "-o", "badge.svg"]) == 1
    assert "certificate invalid" in (certified / "badge.svg").read_text()


def test_the_badge_of_what_conforms(certified):
    assert main.main(["badge", "out/cert.json", "-o", "badge.svg"]) == 0
    assert "conforms level 5" in (certified / "badge.svg").read_text()


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("conftest.py", "conftest.py is there and is no report: it would be lost; name another file"),
        ("out/../out/cert.json", "this is the certificate, which the badge would replace"),
        (".", "this is a folder; name a file in it"),
    ],
)
def test_a_badge_replaces_nothing_but_a_badge(certified, capsys, place, told):
    (certified / "conftest.py").touch()
    before = (certified / "out" / "cert.json").read_bytes()
    assert exit_of(certificates.draw, ["out/cert.json", "-o", place]) == 4
    assert told in capsys.readouterr().err
    assert (certified / "out" / "cert.json").read_bytes() == before
    assert not (certified / "conftest.py").read_bytes()


@pytest.mark.nightly
def test_two_runs_give_the_same_bytes_on_workers_too(folder):
    assert issue(folder, "my_plugin") == 0
    first = (folder / "out" / "cert.json").read_bytes()
    assert issue(folder, "my_plugin", "-n", "1") == 0  # a worker beside the controller, which -n 2 has twice
    assert (folder / "out" / "cert.json").read_bytes() == first


def test_nothing_of_the_users_steers_the_run(folder, monkeypatch, capfd):
    (folder / "conftest.py").write_text("raise RuntimeError('conftest.py was read')\n")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\nplugin_select = FMT-001\n")
    ours = '[tool.trt-conformance]\nignore = "FMT"\nlevel = 1\n'
    (folder / "pyproject.toml").write_text(f"{ours}[tool.pytest.ini_options]\naddopts = '--nonsense'\n")
    (folder / "setup.cfg").write_text("[tool:pytest]\naddopts = --nonsense\n")
    (folder / "tox.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (folder / "pytest.py").write_text("raise RuntimeError('pytest.py was imported')\n")
    (folder / "user_hooks.py").write_text("def pytest_collection_modifyitems(items): items.clear()\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--nonsense")
    monkeypatch.setenv("PYTEST_PLUGINS", "user_hooks")
    monkeypatch.setenv("TRT_CONFORMANCE_SELECT", "FMT-001")
    assert issue(folder, "my_plugin") == 0
    assert len(certificate(folder)["predicate"]["passedTests"]) == 5
    told = capfd.readouterr().err
    assert "not taken from the environment: PYTEST_ADDOPTS" in told
    assert "TRT_CONFORMANCE_SELECT" in told


def test_a_known_failure_is_a_remark_and_its_file_a_subject(folder, capsys):
    (folder / "my_plugin.py").write_text(f"{PLUGIN}def enq_002(): return 'the sum is wrong'\n")
    violation = Violation("the sum is wrong", "in_out[1:]", "one answer", "two answers", "Look at pos only.")
    found = Result("ENQ-002", Severity.ERROR, Verdict.FAIL, violations=(violation,)).fingerprint
    known = {"/Bar/1": {"two-inputs": {"ENQ-002": {"reason": "issue 12", "fingerprint": found}}}}
    (folder / "known.json").write_text(json.dumps(known))
    assert issue(folder, "my_plugin", "--expected-failures=known.json") == 0
    told = certificate(folder)
    assert told["predicate"]["result"] == "WARNED"
    assert told["predicate"]["warnedTests"] == ["conformance::/Bar/1::two-inputs::ENQ-002"]
    assert [each["name"] for each in told["subject"]] == ["known.json", "my_plugin.py"]
    assert told["predicate"]["trtConformance"]["options"]["expected_failures"] == "known.json"
    capsys.readouterr()
    assert main.main(["verify", "out/cert.json"]) == 0
    assert "  /Bar/1 · CONFORMS · cases: two-inputs\n  broken, as was expected: ENQ-002\n" in capsys.readouterr().out
    assert main.main(["badge", "out/cert.json", "-o", "badge.svg"]) == 0
    assert "conforms level 5, with known failures" in (folder / "badge.svg").read_text()


def test_where_there_is_nothing_to_certify_nothing_is_written(folder, capfd):
    (folder / "my_plugin.py").write_text("import os\nos.abort()\n")
    assert issue(folder, "my_plugin") == 1
    assert "my_plugin could not be imported" in capfd.readouterr().err
    assert not (folder / "out").exists()


def test_files_that_change_meanwhile_are_noticed_whether_or_not_they_were_known(folder):
    known, helper = folder / "my_plugin.py", folder / "helper.py"
    helper.touch()
    before, began = {known: digest_of_file(known)}, helper.stat().st_ctime_ns
    files = Files({file: digest_of_file(file) for file in (known, helper)}, (folder,), (), folder)
    certificates._insist_on_unchanged(files, before, began)
    with pytest.raises(FileError, match=r"helper\.py changed while it was certified"):
        certificates._insist_on_unchanged(files, before, began - 1)
    with pytest.raises(FileError, match=r"my_plugin\.py changed while it was certified"):
        certificates._insist_on_unchanged(files, {known: "0" * 64}, began)
    with pytest.raises(FileError, match=r"gone\.py was removed while it was certified"):
        certificates._insist_on_unchanged(files, {**before, folder / "gone.py": "0" * 64}, began)


def test_a_package_that_grows_meanwhile_is_noticed(folder, capfd):
    (folder / "pack").mkdir()
    grows = "import pathlib\ndef enq_001(): pathlib.Path(__file__).with_name('new.py').touch(); return 3\n"
    (folder / "pack" / "__init__.py").write_text(PLUGIN + grows)
    assert issue(folder, "pack") == 1
    assert "new.py changed while it was certified" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["my_plugin", "-o", "."], "this is a folder; name a file in it"),
        (["my_plugin", "-o", "my_plugin.py/cert.json"], "cannot write into"),
        (["my_plugin", "-o", "my_plugin.py"], "this is among the files that are certified"),
        (["./pack", "-o", "pack/cert.json"], "this is among the files that are certified"),
        (["./pack", "-o", "my_plugin.py"], "my_plugin.py is there and is no report: it would be lost"),
    ],
)
def test_what_makes_no_sense_is_one_error_before_anything_is_written(folder, capfd, arguments, told):
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").write_text(PLUGIN)
    assert exit_of(certificates.issue, arguments) == 4
    assert told in capfd.readouterr().err
    assert not (folder / "out").exists()
    assert (folder / "my_plugin.py").read_text() == PLUGIN


def exit_of(function, arguments):
    try:
        return function(arguments)
    except SystemExit as end:
        return end.code


@pytest.mark.parametrize("epoch", ["soon", "-1", "99999999999999999"])
def test_a_time_that_is_none_is_told(folder, monkeypatch, capfd, epoch):  # noqa: ARG001 - the current folder
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert exit_of(certificates.issue, ["my_plugin", "-o", "cert.json"]) == 4
    assert f"SOURCE_DATE_EPOCH={epoch}" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "No such file"),
        ("", "this is no certificate, for it is no JSON"),
    ],
)
@pytest.mark.parametrize("do", ["verify", "badge"])
def test_what_is_no_file_of_ours_is_usage(folder, capfd, do, content, told):
    if content is not None:
        (folder / "cert.json").write_text(content)
    more = ["-o", "badge.svg"] if do == "badge" else []
    assert exit_of(main.main, [do, "cert.json", *more]) == 4
    assert told in capfd.readouterr().err
    assert not (folder / "badge.svg").exists()


def test_what_is_wanted_of_a_certificate(certified, capsys):
    assert main.main(["verify", "out/cert.json", "--max-age=1d"]) == 1
    assert "longer ago than --max-age allows" in capsys.readouterr().out
    assert main.main(["verify", "out/cert.json", "--require=ENQ", "--level=5"]) == 0
    assert exit_of(main.main, ["verify", "out/cert.json", "--require=FMTS"]) == 4
    assert "there is no rule, family or severity 'FMTS' (did you mean 'FMT'?)" in capsys.readouterr().err
    assert exit_of(main.main, ["verify", "out/cert.json", "--plugin=nowhere"]) == 4
    assert "is neither a folder nor one of src/my_plugins" in capsys.readouterr().err
    (certified / "src" / "my_plugins" / "kernels.py").unlink()
    assert main.main(["verify", "out/cert.json"]) == 1
    assert "src/my_plugins/kernels.py is not there" in capsys.readouterr().out


def test_a_run_that_is_interrupted_leaves_nothing(folder, capfd):
    plugin = "import os, signal\ndef pytest_runtest_setup(item): os.kill(os.getpid(), signal.SIGINT)\n"
    (folder / "interrupting.py").write_text(plugin)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inner, "PLUGINS", [*inner.PLUGINS, "-p", "interrupting"])
        patch.setenv("PYTHONPATH", f"{os.environ['PYTHONPATH']}:{folder}")
        assert issue(folder, "my_plugin") == 2
    assert "no certificate was written: the run was interrupted" in capfd.readouterr().err
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("ended", "status", "told"),
    [
        (inner.Ended(-signal.SIGKILL, None), 3, "the run ended by signal 9, without a report"),
        (inner.Ended(3, None), 3, "the run ended with 3, without a report"),
        (inner.Ended(0, None), 3, "the run ended with 0, without a report"),
        (inner.Ended(0, {"status": "interrupted"}), 2, "the run was interrupted"),
        (inner.Ended(2, None), 2, "the run was interrupted"),
        (inner.Ended(5, None), 1, "there was nothing to judge"),
        (inner.Ended(0, {"status": "complete", "options": {}}), 3, "from elsewhere: modules, libraries, apps"),
    ],
)
def test_however_a_run_ends_without_a_whole_report_nothing_is_written(folder, capfd, monkeypatch, ended, status, told):
    monkeypatch.setattr(inner, "run", lambda *_, **__: ended)
    assert issue(folder, "my_plugin") == status
    assert told in capfd.readouterr().err
    assert not (folder / "out").exists()


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit) as end:
        main.main(["--help"])
    assert end.value.code == 0
    told = capsys.readouterr().out
    assert all(f"    {name} " in told for name in ("certify", "verify", "badge", "schema"))
