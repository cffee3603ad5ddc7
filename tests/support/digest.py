"""The verdict digest: one short text for all verdicts of a run, the same as long as every verdict is the same."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import subprocess
import sys

HOME = pathlib.Path(__file__).parents[2]


def verdicts_of(report):
    """Return ``{plugin, case and rule: verdict}`` of a JSON report; evidence, times and places are left out."""
    return {
        f"{plugin['id']}::{rule['id']}": rule["verdict"] for plugin in report["plugins"] for rule in plugin["rules"]
    }


def digest_of(verdicts):
    """Return the digest of some verdicts, in whatever order they come."""
    lines = sorted(f"{place} {verdict}\n" for place, verdict in verdicts.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def certified(modules, folder, *arguments, python=()):
    """Certify modules as a user would, in a folder of their own, and return all verdicts."""
    return verdicts_of(report_of(modules, folder, *arguments, python=python))


def report_of(modules, folder, *arguments, before=(), python=()):
    """Certify modules as a user would, in a folder of their own, and return the report; ``before`` is a prefix."""
    report = folder / "report.json"
    named = [f"--plugin-module={module}" for module in modules]
    ours = [sys.executable, *python, "-m", "pytest", "-q", *named, f"--plugin-report=json:{report}"]
    command = [*before, *ours, *arguments]
    (folder / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(  # noqa: S603 - our own command
        command, cwd=folder, env=_environment(), capture_output=True, text=True, check=False
    )
    assert report.exists(), done.stdout + done.stderr
    return json.loads(report.read_text())


def _environment():
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TRT_CONFORMANCE_"))}
    return {**ours, "PYTHONPATH": str(HOME)}
