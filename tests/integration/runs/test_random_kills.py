"""Runs that are killed at random moments end, and leave no process, and no folder that the next run does not remove."""

import pytest

from tests.support.adversity import kills


@pytest.mark.nightly
@pytest.mark.real_processes
def test_whatever_is_killed_nothing_is_left(tmp_path):
    runs = kills.Runs(tmp_path)
    found = [runs.kill(each) for each in kills.kills(200, "by night")]
    assert [left for left in found if left.is_wrong] == []
    assert runs.undisturbed("pytest") == []


def test_kills_are_of_all_kinds_and_at_all_moments():
    chosen = kills.kills(27, "any")
    assert len({(kill.command, kill.signal, kill.victim) for kill in chosen}) == 24
    assert [int(kill.moment * 27) for kill in chosen] == list(range(27))


@pytest.mark.parametrize("folders", [[], ["trt-conformance-1"]])
def test_only_sigkill_may_leave_a_folder(folders):
    of = {"victim": kills.RUN, "endless": False, "processes": [], "folders": folders, "seconds": 0.0}
    killed, asked = (kills.Kill("pytest", number, kills.RUN, 0.5, 0.5) for number in (9, 15))
    assert not kills.Left(killed, **of).is_wrong
    assert kills.Left(asked, **of).is_wrong is bool(folders)
