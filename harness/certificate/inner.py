"""Run pytest for a certificate in a separate process that no setting of the user can change.

The process reads an ini file that the harness writes. It reads no ``conftest.py``, and no environment variable whose
name begins with ``PYTEST_`` or ``TRT_CONFORMANCE_``. The only pytest plugins that it loads are this distribution's and,
if the user asks for workers, pytest-xdist. All options are on its command line. ``python -c`` starts it without the
current folder on ``sys.path``. So no file in this folder can replace pytest or a module of the standard library. From
Python 3.11 on that is also so for its workers and their processes.
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

#: The arguments that have pytest load this distribution's plugin, without its entry point.
PLUGINS: Final = ["-p", "pytest_trt_conformance"]
#: The name of the ini file.
INI: Final = "trt-conformance-certify.ini"
#: pytest warns that it cannot rewrite the asserts of this distribution's plugin, which has none.
_INI_TEXT: Final = "[pytest]\nfilterwarnings = ignore:Module already imported:pytest.PytestAssertRewriteWarning\n"
_XDIST: Final = ["-p", "xdist.plugin"]
_START: Final = (
    "import sys; sys.path[:] = filter(None, sys.path); "
    "from harness.frontends.pytest_plugin import inner_run; sys.exit(inner_run.main(int(sys.argv[1]), sys.argv[2:]))"
)


class Ended(msgspec.Struct, frozen=True):
    """The end of the inner run: its exit status and its report.

    Attributes:
        status: Its exit status; a negative number is the signal that killed it.
        document: Its JSON report; None if it wrote none.
    """

    status: int
    document: Document | None


def run(options: Options, *, workers: str = "", color: str = "") -> Ended:
    """Run pytest with the options, and return how it ended; it prints to this process's standard streams.

    Args:
        options: The options of the run.
        workers: The number of workers of pytest-xdist, ``auto`` or ``logical``; empty for none.
        color: pytest's ``--color``; empty for its default.
    """
    passed_on = signals.PassedOn()
    with passed_on.held(), temporary_folder() as folder:
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
        status = passed_on.wait(_started([sys.executable, "-c", start, str(os.getpid()), *arguments]))
        document = json.loads(report.read_bytes()) if report.is_file() else None
    return Ended(status, document)


def stray_variables() -> list[str]:
    """Return the environment variables with options of pytest or of the harness, which this run ignores."""
    return sorted(name for name in os.environ if name.startswith(("PYTEST_", ENVIRONMENT_PREFIX)))


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in stray_variables()}
    environment |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONSAFEPATH": "1"}
    sys.stdout.flush()
    return subprocess.Popen(command, env=environment)  # noqa: S603 - this Python, and arguments that argparse took


def _arguments(options: Options) -> Iterator[str]:
    """Yield the arguments for the options, including those with default values."""
    plain = {**options.to_plain(), "seed": options.seed}
    for option in OPTIONS:
        if option.uses & (Use.CERTIFY | Use.VERDICT):
            yield from (f"{option.flag}={text}" for text in command_line.texts_of(option, plain[option.field]))
