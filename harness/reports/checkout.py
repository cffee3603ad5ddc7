"""Find the root of the repository, and name files relative to it, as code hosts need them in reports."""

from __future__ import annotations

from pathlib import Path


def root_of(folder: Path) -> Path:
    """Return the root of the git repository that contains a folder, or the folder itself."""
    home = folder.absolute()
    return next((each for each in (home, *home.parents) if (each / ".git").exists()), home)


def from_root(file: str, root: str) -> str:
    """Return a file's path relative to the folder ``root``, with ``/``; empty if the file is not in it."""
    path = Path(file)
    if not root or not path.is_relative_to(root):
        return ""
    return path.relative_to(root).as_posix()
