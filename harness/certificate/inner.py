"""Run pytest for a certificate in a separate process that no setting of the user's can change.

It reads an empty ini file that the harness writes. It reads no ``conftest.py``, and no environment variable whose name
begins with ``PYTEST_`` or ``TRT_CONFORMANCE_``. Of pytest's plugins it loads the harness's, and pytest-xdist where
workers are requested. All options are on its command line. ``python -c`` starts it without the current folder on
``sys.path``. So no file there can replace pytest or a module of the standard library. From Python 3.11 on that holds
for its workers and their processes too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from harness.config import command_line
from harness.config.declarations import ALONE, ENVIRONMENT_PREFIX, OPTIONS, Use
from harness.contract import own_names
from harness.process import signals
from harness.process.temporary import temporary_folder

if TYPE_CHECKING:
    from harness.config.options import Options
    from harness.results.report import Document

#: What makes pytest load what it needs and nothing else.
PLUGINS: Final = ["-p", "pytest_trt_conformance"]
#: The name of our ini file, by which a run can tell that it is one of these.
INI: Final = "trt-conformance-certify.ini"
#: pytest would rewrite the asserts of our plugin, which is imported by then and has none.
_INI_TEXT: Final = "[pytest]\nfilterwarnings = ignore:Module already imported:pytest.PytestAssertRewriteWarning\n"
_XDIST: Final = ["-p", "xdist.plugin"]
_START: Final = (
    "import sys; sys.path[:] = filter(None, sys.path); "
    "from harness.frontends.pytest_plugin import inner_run; sys.exit(inner_run.main(int(sys.argv[1]), sys.argv[2:]))"
)


class Ended(msgspec.Struct, frozen=True):
    """The end of the inner run: its exit status and its report.

    Attributes:
        status: Its exit status; negative: the signal that killed it.
        document: Its report; None if it wrote none.
    """

    status: int
    document: Document | None


def run(options: Options, *, workers: str = "", color: str = "") -> Ended:
    """Certify as the options say, with what is printed going where this process prints.

    Args:
        options: What to certify, and how.
        workers: The number of workers of pytest-xdist, or ``auto``; empty for none.
        color: pytest's ``--color``; empty for its default.
    """
    asked = signals.PassedOn()
    with asked.held(), temporary_folder() as folder:
        ini, report = Path(folder, INI), Path(folder, "report.json")
        ini.write_text(_INI_TEXT, encoding="utf-8")
        alone = [
            "-c",
            str(ini),
            f"--rootdir={Path.cwd()}",
            "--noconftest",
            "-p",
            "no:cacheprovider",
            "-p",
            ALONE,
            *PLUGINS,
        ]
        shown = ["-q", "--no-header", *([f"--color={color}"] if color else [])]
        parallel = [*_XDIST, "-n", workers] if workers else []
        arguments = [*alone, *shown, *parallel, *_arguments(options), f"--plugin-report=json:{report}"]
        start = own_names.prefixed(_START) if own_names.are_prefixed() else _START
        status = asked.wait(_started([sys.executable, "-c", start, str(os.getpid()), *arguments]))
        document = json.loads(report.read_bytes()) if report.is_file() else None
    return Ended(status, document)


def stray_variables() -> list[str]:
    """Return the environment variables that would steer other runs, and that this run ignores."""
    return sorted(name for name in os.environ if name.startswith(("PYTEST_", ENVIRONMENT_PREFIX)))


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in stray_variables()}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONSAFEPATH": "1"}
    sys.stdout.flush()
    return subprocess.Popen(command, env=environment)  # noqa: S603 - this Python, and arguments that argparse took


def _arguments(options: Options) -> Iterator[str]:
    """Yield the command line that says what the options say, defaults too."""
    plain = {**options.to_plain(), "seed": options.seed}
    for option in OPTIONS:
        if option.uses & (Use.CERTIFY | Use.VERDICT):
            yield from (f"{option.flag}={text}" for text in command_line.texts_of(option, plain[option.field]))
