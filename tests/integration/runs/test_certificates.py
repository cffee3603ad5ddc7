"""Certificates of the examples, by the real rules, as a user makes and checks them."""

import json
import shutil
from pathlib import Path

import pytest

from harness.frontends.cli import main
from tests.support.certificates import issue

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
