"""The harness: finds plugins, drives them, judges them by rules and reports; it contains no rule.

Importing this package imports nothing heavy. ``Case``, ``Input``, ``Tolerance`` and ``ExpectedFailure``, which a
``<module>_cases.py`` may use, are loaded when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.case import Case, Input, Tolerance
    from harness.expectation import ExpectedFailure

__all__ = ["Case", "ExpectedFailure", "Input", "Tolerance"]

_HOMES = {
    "Case": "harness.case",
    "Input": "harness.case",
    "Tolerance": "harness.case",
    "ExpectedFailure": "harness.expectation",
}


def __getattr__(name: str) -> Any:
    import importlib  # noqa: PLC0415 - this package must stay cheap to import

    if name not in _HOMES:
        raise AttributeError(f"module 'harness' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
