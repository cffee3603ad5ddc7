"""What tests of the user's pages share: their snippets, a project to run them in, and what they claim."""

import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Return the fenced blocks of a page, each with its language."""
    return _BLOCK.findall((HOME / "docs" / page).read_text(encoding="utf-8"))


def project(folder):
    """Make the project that the pages speak of."""
    shutil.copy(HOME / "plugin_examples" / "leaky_relu.py", folder / "my_plugins.py")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:randomly\n")
    (folder / "test_own.py").write_text("def test_own(): pass\n")
    (folder / "my_app.py").write_text("def main(): pass\n")
    (folder / "my_cases.py").write_text("PLUGIN_CASES = []\n")
    (folder / "known.json").write_text("{}")


def run(command, folder):
    """Return the exit code of a command of a page, and what it wrote."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("TRT_CONFORMANCE_", "PYTEST_"))}
    environment = {**ours, "PYTHONPATH": str(HOME), "COLUMNS": "160", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    words = shlex.split(command)
    plugins = ["-p", "pytest_trt_conformance"] if words[0] == "pytest" else []
    done = subprocess.run(  # noqa: S603 - what our own page says
        [sys.executable, "-m", *words[:1], *plugins, *words[1:]],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def insist_on(claimed, shown):
    """Insist that lines are shown in this order: ``*`` is anything, ``...`` any lines, and no number counts."""
    lines = iter(shown.splitlines())
    for claim in (line for line in claimed.strip().splitlines() if line != "..."):
        pattern = re.sub(r"[0-9][0-9,.]*", "*", claim.replace("[", "[[]")).rstrip()
        found = any(fnmatch.fnmatchcase(line.rstrip(), pattern) for line in lines)
        assert found, f"{claim!r} is not in, or not there in:\n{shown}"
