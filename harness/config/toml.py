"""Read TOML in the same way on every version of Python."""

from __future__ import annotations

import sys
from typing import Any


def parsed(content: bytes) -> dict[str, Any]:
    """Return the tables in the bytes of a TOML file.

    Raises:
        ValueError: The bytes are no TOML, or no UTF-8.
    """
    if sys.version_info >= (3, 11):
        import tomllib  # noqa: PLC0415 - Python 3.10 has none
    else:
        import tomli as tomllib  # noqa: PLC0415 - pytest itself depends on it there
    tables: dict[str, Any] = tomllib.loads(content.decode())
    return tables
