"""Read and write the entries of failures that a user expects, and put a file of entries into cases."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from harness.contract.codec import Record

#: The placeholder for the reason in an entry that a report prints: the user replaces it.
REASON_TO_WRITE = "why, with a link"

#: The entries of a file, by plugin key, case name and rule id.
Listed = Mapping[str, Mapping[str, Mapping[str, "ExpectedFailure"]]]


class ExpectationError(ValueError):
    """The error that a list of expected failures is not usable; its message says what to write."""


@dataclasses.dataclass(frozen=True)
class ExpectedFailure(Record):
    """A known failure of a rule on a case: the reason with a link, and the failure's fingerprint."""

    reason: str
    fingerprint: str

    @classmethod
    def from_entry(cls, entry: Any, *, where: str) -> ExpectedFailure:
        """Return the expected failure of an entry: an :class:`ExpectedFailure`, or a mapping with its keys.

        Raises:
            ExpectationError: The entry is neither, or lacks reason or fingerprint; the message begins with ``where``.
        """
        if isinstance(entry, Mapping) and set(entry) <= {"reason", "fingerprint"}:
            entry = cls(entry.get("reason", ""), entry.get("fingerprint", ""))
        if isinstance(entry, cls) and all(isinstance(text, str) and text for text in (entry.reason, entry.fingerprint)):
            return entry
        raise ExpectationError(
            f"{where} needs a reason and a fingerprint: {_shown('...')}; run without it: the failure's report "
            "prints the entry to paste"
        )


def case_entry(rule_id: str, fingerprint: str) -> str:
    """Return the entry to paste into a case, so that it expects a failure."""
    return f'"expected_failures": {{"{rule_id}": {_shown(fingerprint)}}}'


def file_entry(plugin: str, cases: Iterable[str], rule_id: str, fingerprint: str) -> str:
    """Return the text of a JSON file that expects a failure on some cases of a plugin."""
    entry = ExpectedFailure(REASON_TO_WRITE, fingerprint).to_plain()
    return json.dumps({plugin: {case: {rule_id: entry} for case in cases}})


def _shown(fingerprint: str) -> str:
    return json.dumps(ExpectedFailure(REASON_TO_WRITE, fingerprint).to_plain())


def merge(listed: Listed, plugins: Iterable[dict[str, Any]], path: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Put a file's entries into the described cases.

    Yields:
        Each problem: its text, the unknown word, and the known words. The word is empty for a failure expected twice.
    """
    by_key: dict[str, list[dict[str, Any]]] = {}
    for plugin in plugins:
        by_key.setdefault(plugin["key"], []).extend(plugin["cases"])
    for key, cases in listed.items():
        if key not in by_key:
            yield f"{path}: there is no plugin {key!r}", key, tuple(by_key)
            continue
        for name, rules in cases.items():
            same = [case for case in by_key[key] if case["name"] == name]
            if not same:
                yield f"{path}: {key} has no case {name!r}", name, tuple(case["name"] for case in by_key[key])
            for case in same:
                for rule_id in rules.keys() & case["expected_failures"].keys():
                    yield f"{path}: {key} {name}: the case itself expects a failure of {rule_id} too", "", ()
                expected = {rule_id: failure.to_plain() for rule_id, failure in rules.items()}
                case["expected_failures"] = {**case["expected_failures"], **expected}
