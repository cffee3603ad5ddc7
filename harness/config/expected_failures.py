"""Read the file of ``--plugin-expected-failures``, JSON or TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from harness.config import toml
from harness.contract.expected_failures import ExpectationError, ExpectedFailure

if TYPE_CHECKING:
    from pathlib import Path

    from harness.contract.expected_failures import Listed


def read(path: Path) -> Listed:
    """Return the expected failures in a JSON or TOML file, by plugin, case and rule.

    Raises:
        ExpectationError: The file cannot be read, is neither JSON nor TOML, or an entry is no expected failure.
    """
    try:
        content = toml.parsed(path.read_bytes()) if path.suffix == ".toml" else json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ExpectationError(f"{path}: {error}") from error
    return {
        plugin: {
            case: {
                rule_id: ExpectedFailure.from_entry(entry, where=f"{path}: {plugin} {case} {rule_id}")
                for rule_id, entry in _mapping(rules, f"{path}: {plugin} {case}", "rule ids").items()
            }
            for case, rules in _mapping(cases, f"{path}: {plugin}", "names of cases").items()
        }
        for plugin, cases in _mapping(content, str(path), "plugin keys (namespace/Name/version)").items()
    }


def _mapping(value: Any, where: str, keys: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ExpectationError(f"{where} must be an object whose keys are {keys}, not {type(value).__name__}")
    return value
