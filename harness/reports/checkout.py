"""Find the folder that reports name files from, so that code hosts find these files."""

from __future__ import annotations

from pathlib import Path


def root_of(folder: Path) -> Path:
    """Return the git repository that a folder is in, or the folder itself."""
    home = folder.absolute()
    return next((each for each in (home, *home.parents) if (each / ".git").exists()), home)


def from_root(file: str, root: str) -> str:
    """Return a file as it is called in the folder ``root``, with ``/``; empty where it is not in there."""
    path = Path(file)
    if not root or not path.is_relative_to(root):
        return ""
    return path.relative_to(root).as_posix()
