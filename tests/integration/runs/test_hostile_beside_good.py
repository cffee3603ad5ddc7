"""Hostile plugins beside good ones: each is named, and no verdict of the good ones changes."""

import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
pytestmark = [pytest.mark.nightly, pytest.mark.real_processes]

SCALE = Path(__file__).parents[3] / "benchmarks" / "scale"
NAMES = [
    "crashes",
    "closes_its_output",
    "closes_every_descriptor",
    "deletes_its_file",
    "patches_numpy",
    "floods_its_output",
]
RULES = "--plugin-select=CRE-001,ENQ-010,FMT-001"


@pytest.fixture
def hostile(monkeypatch):
    """What writes the libraries of benchmarks/scale."""
    for name in ("hostile", "library", "bench", "processes"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(SCALE)
    import hostile  # noqa: PLC0415 - it is no module of ours

    yield hostile
    for name in ("hostile", "library", "bench", "processes"):
        sys.modules.pop(name, None)


def test_hostile_plugins_are_named_and_change_nothing_for_others(hostile, certify_as_a_user, pytester):
    found = hostile.plugins(20)
    bad = hostile.with_hostile_ones(found, NAMES)
    good = [plugin for plugin in found if plugin.module not in {each.module for each in bad.values()}][:2]
    hostile.write(pytester.path, [*good, *bad.values()], as_package=False)
    reports = []
    for library in (good, [good[0], *bad.values(), good[1]]):
        options = (f"--plugin-module={plugin.module}" for plugin in library)
        reports.append(certify_as_a_user(*options, RULES, "--plugin-timeout=5", "-p", "no:cacheprovider"))
    (alone, before), (together, after) = reports
    modules = {plugin.module for plugin in good}
    assert (int(alone.ret), int(together.ret)) == (0, 1)
    assert hostile.verdicts(before, modules) == hostile.verdicts(after, modules)
    assert len(hostile.verdicts(before, modules)) == 6
    for name, plugin in bad.items():
        said = hostile.defects(after, plugin.module)
        assert any(hostile.DEEDS[name].reported in each for each in said), (name, said)
