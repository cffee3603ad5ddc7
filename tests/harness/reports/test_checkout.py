"""Files are named as seen from the repository."""

from harness.reports.checkout import from_root, root_of


def test_the_root_is_the_repository_that_a_folder_is_in(tmp_path):
    inner = tmp_path / "repo" / "src" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "repo" / ".git").write_text("gitdir: elsewhere")  # as a worktree has it
    assert root_of(inner) == tmp_path / "repo"


def test_a_file_outside_has_no_name_there():
    assert from_root("/repo/src/bar.py", "/repo") == "src/bar.py"
    assert from_root("/repository/bar.py", "/repo") == ""
    assert from_root("/repo/bar.py", "") == ""
    assert from_root("", "/repo") == ""
