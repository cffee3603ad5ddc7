"""Recognize shared libraries by their file names."""

from __future__ import annotations

import re
from typing import Final

_NAME: Final = re.compile(r"\.so(\.[0-9]+)*$")


def is_library(name: str) -> bool:
    """Return whether a file name ends with ``.so``, or with ``.so`` and a version."""
    return _NAME.search(name) is not None
