"""Where a database of examples is: a folder, or a URL, which may hold a password."""

from __future__ import annotations

import urllib.parse
from pathlib import Path


def located(where: str, folder: Path) -> str:
    """Return a URL as it is, and the path of a database seen from a folder."""
    return where if "://" in where else str(folder / Path(where).expanduser())


def shown(where: str) -> str:
    """Return the name of a database as it may be printed: without a password."""
    scheme, separator, _ = where.partition("://")
    if not separator:
        return where
    parts = urllib.parse.urlsplit(where)
    _, at, host = parts.netloc.rpartition("@")
    return f"{scheme}://{'***@' if at else ''}{host}{parts.path}"
