"""What a killed process put aside is removed by whoever comes next; nothing of a living one, and nothing else."""

import os
import tempfile
from pathlib import Path

import pytest

from harness.process import owners, temporary


@pytest.fixture(autouse=True)
def temporary_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def gone():
    number, start, place = owners.this_process().split("-")
    return f"{number}-{int(start) - 1}-{place}"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_is_there_while_its_block_runs(tmp_path):
    with temporary.temporary_folder() as folder:
        Path(folder, "file").touch()
        temporary.remove_abandoned()
        assert names(tmp_path) == [Path(folder).name]
    assert names(tmp_path) == []


def test_what_a_process_left_that_is_gone_is_removed(tmp_path):
    folder = tmp_path / f"trt-conformance-{gone()}-abc_123"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "file").touch()
    (tmp_path / f".trt-conformance-{gone()}-0123.tmp").touch()
    temporary.remove_abandoned()
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    "name",
    ["trt-conformance-my-notes", "trt-conformance-1-2-abcdef-x.txt", "my-trt-conformance-{}-abc", "trt-conformance-{}"],
)
def test_what_is_named_in_another_way_stays(tmp_path, name):
    (tmp_path / name.format(gone())).mkdir()
    temporary.remove_abandoned()
    assert names(tmp_path) == [name.format(gone())]


def test_what_another_user_has_stays(tmp_path, monkeypatch):
    (tmp_path / f"trt-conformance-{gone()}-abc").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    temporary.remove_abandoned()
    assert len(names(tmp_path)) == 1


def test_a_link_is_removed_and_not_where_it_leads(tmp_path):
    there = tmp_path / "precious"
    there.mkdir()
    (there / "file").touch()
    (tmp_path / f"trt-conformance-{gone()}-abc").symlink_to(there)
    temporary.remove_abandoned()
    assert names(tmp_path) == ["precious"]
    assert names(there) == ["file"]


def test_without_a_folder_for_temporary_files_nothing_happens(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/none/such")
    temporary.remove_abandoned()


def test_a_hidden_name_is_free_and_clears_away_what_was_left_beside_it(tmp_path):
    left = tmp_path / f".trt-conformance-{gone()}-0123.tmp"
    left.touch()
    hidden = temporary.hidden_beside(tmp_path / "report.json")
    assert (hidden.parent, hidden.exists(), left.exists()) == (tmp_path, False, False)
    assert hidden != temporary.hidden_beside(tmp_path / "report.json")
