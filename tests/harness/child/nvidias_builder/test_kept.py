"""What one fork found out about builds, another fork of the same process has without building."""

import os

from harness.checks.observation.in_a_fork import apart
from harness.child.nvidias_builder import running


def test_what_a_fork_has_found_another_one_has(monkeypatch):
    monkeypatch.setattr(running._Kept, "memory", os.memfd_create("builds"))
    apart(lambda: running.kept_or("one", lambda: {"builds": [1]}))
    apart(lambda: running.kept_or("other", lambda: {"builds": [2]}))
    found = [running.kept_or(key, dict) for key in ("one", "other", "third")]
    os.close(running._Kept.memory)
    assert found == [{"builds": [1]}, {"builds": [2]}, {}]


def test_what_is_half_written_is_found_again(monkeypatch):
    memory = os.memfd_create("builds")
    monkeypatch.setattr(running._Kept, "memory", memory)
    os.pwrite(memory, b'{"one": ', 0)
    assert running.kept_or("one", lambda: {"builds": []}) == {"builds": []}
    os.close(memory)
