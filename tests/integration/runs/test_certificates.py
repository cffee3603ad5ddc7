"""Certificates of the examples, by the real rules, as a user makes and checks them."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from harness.certificate.verifying import Demands, Installed, check
from harness.contract import catalogue
from harness.contract.extra_tools import ALL
from harness.frontends.cli import main
from tests.integration.runs.test_tampering import edits_of_each_kind
from tests.support.certificates import NOW, issue

HOME = Path(__file__).parents[3]


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A user's folder, and the harness installed beside it."""
    monkeypatch.setenv("PYTHONPATH", str(HOME))
    monkeypatch.chdir(tmp_path)
    shutil.copytree(HOME / "plugin_examples" / "apps", tmp_path / "apps")
    for name in ("bar.py", "bar_cases.py", "leaky_relu.py", "leaky_relu_cases.py"):
        shutil.copy(HOME / "plugin_examples" / name, tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("subject", "file"),
    [pytest.param("bar", "bar.py", marks=pytest.mark.nightly), ("--app=apps.service:main", "apps/service.py")],
)
def test_what_conforms_is_certified_and_verified(project, capsys, subject, file):
    assert issue(project, subject) == 0
    plain = json.loads((project / "out" / "cert.json").read_bytes())
    assert file in {each["name"] for each in plain["subject"]}
    assert len(plain["predicate"]["passedTests"]) > 10
    assert main.main(["verify", "out/cert.json"]) == 0
    (project / file).write_text("# another\n")
    assert main.main(["verify", "out/cert.json"]) == 1
    assert f"{file} is not the file that was certified" in capsys.readouterr().out


@pytest.mark.nightly
def test_each_kind_of_edit_of_a_real_certificate_is_detected(project):
    assert issue(project, "leaky_relu") == 0
    plain = json.loads((project / "out" / "cert.json").read_bytes())
    installed = Installed.of(catalogue.load(ALL))
    demands = Demands(project)
    assert not check(plain, demands, installed, NOW).problems
    seen = 0
    for path, how, edited in edits_of_each_kind(plain):
        assert check(edited, demands, installed, NOW).problems, (path, how)
        seen += 1
    assert seen > 500
    assert check(plain, structs.replace(demands, place=project.parent), installed, NOW).problems
