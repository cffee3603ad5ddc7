"""Shared libraries by their names: what ``--plugin-library`` takes, and what a certificate has as one."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = re.compile(r"\.so(\.[0-9]+)*$")


def is_library(name: str) -> bool:
    """Return whether a name is that of a shared library: it ends with ``.so``, or with a version after that."""
    return _NAME.search(name) is not None
