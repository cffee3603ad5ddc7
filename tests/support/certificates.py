"""A certificate that certify wrote of a package whose verdicts the test writes down (see ``stub_contract``)."""

import contextlib
import dataclasses
import datetime as dt
import importlib.metadata
import json
from pathlib import Path

import pytest

from harness.certificate import inner
from harness.certificate.verifying import Demands, Installed, check
from harness.contract import catalogue
from harness.contract.extra_tools import ALL
from harness.frontends.cli import certificates

HOME = Path(__file__).parents[2]
DATA = HOME / "tests" / "support" / "stubs"
PLUGIN = """
from stub_contract import *
from . import kernels
PLUGINS = {'/Bar/1': [case('a')], '/Foo/1': [case('b', inferred=True)]}
def cfg_001(): return 'it prints'
def fmt_001(): return not_applicable('it has no formats')
def fmt_002(): return not_run('needs a GPU')
"""
EPOCH = 1_700_000_000
NOW = dt.datetime.fromtimestamp(EPOCH + 3600, dt.timezone.utc)


@contextlib.contextmanager
def stubbed():
    """Put stub rules and a stub judge in the place of the real ones, here and in the child."""
    with pytest.MonkeyPatch.context() as patch:
        entry = importlib.metadata.EntryPoint("stub", "stub_rules", catalogue.GROUP)
        patch.setattr(catalogue, "_entry_points", lambda: [entry])
        patch.setattr(inner, "PLUGINS", [*inner.PLUGINS, "-p", "stub_certification"])
        patch.setenv("PYTHONPATH", f"{HOME}:{DATA}")
        patch.syspath_prepend(DATA)
        yield


@pytest.fixture
def stubs():
    with stubbed():
        yield


@dataclasses.dataclass(frozen=True)
class Issued:
    """A certificate and the folder that it was made in."""

    folder: Path
    plain: dict
    installed: Installed

    def check(self, plain=None, *, now=NOW, **demands):
        """Check it, or what somebody made of it."""
        place = demands.pop("place", self.folder)
        return check(self.plain if plain is None else plain, Demands(place, **demands), self.installed, now)


def issue(folder, *arguments):
    """Run certify in a folder; return the exit status."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("SOURCE_DATE_EPOCH", str(EPOCH))
        return certificates.issue([*arguments, "-o", "out/cert.json"])


@pytest.fixture(scope="session")
def issued(tmp_path_factory):
    with stubbed():
        return issued_in(tmp_path_factory.mktemp("certified"))


def issued_in(folder):
    package = folder / "src" / "my_plugins"
    (package / "cuda").mkdir(parents=True)
    (package / "__init__.py").write_text(PLUGIN)
    (package / "kernels.py").write_text("SCALE = 2\n")
    (package / "cuda" / "scale.cu").write_text("__global__ void scale() {}\n")
    assert issue(folder, "src/my_plugins", "--url=https://ci.example/7") == 0
    plain = json.loads((folder / "out" / "cert.json").read_bytes())
    return Issued(folder, plain, Installed.of(catalogue.load(ALL)))
