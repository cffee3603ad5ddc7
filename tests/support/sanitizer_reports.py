"""Recorded reports, and a program that stands in for compute-sanitizer."""

import os
import pathlib
import sys
import textwrap

from reference_runtime.devices.cuda_planted import KERNEL

FOLDER = pathlib.Path(__file__).parents[1] / "data" / "sanitizer"
#: A record of the fault that the harness plants.
PLANTED = f"<record><kind>Precise</kind><level>Error</level><where><func>{KERNEL}</func></where></record>"


def recorded(name):
    """Return a recorded report."""
    return (FOLDER / f"{name}.xml").read_text()


def with_planted(report):
    """Return a report with a record of the planted fault before the others."""
    empty = "<ComputeSanitizerOutput/>"
    begin = "<ComputeSanitizerOutput>"
    return report.replace(empty, f"{begin}{PLANTED}</ComputeSanitizerOutput>").replace(
        f"{begin}\n", f"{begin}{PLANTED}"
    )


def install(folder, monkeypatch, report, *, log="", runs=True):
    """Put a program of the tool's name on PATH that runs what it is given, and writes this report."""
    (folder / "report").write_text(report)
    (folder / "log").write_text(log)
    program = folder / "compute-sanitizer"
    program.write_text(
        textwrap.dedent(
            f"""\
            #!{sys.executable}
            import pathlib, subprocess, sys
            folder, given = pathlib.Path({str(folder)!r}), sys.argv[1:]
            (folder / "arguments").write_text("\\n".join(given))
            options, command = given[: given.index(sys.executable)], given[given.index(sys.executable) :]
            if {runs}:
                subprocess.run(command, check=False)
            report = (folder / "report").read_text()
            if report:
                pathlib.Path(options[options.index("--save") + 1]).write_text(report)
            pathlib.Path(options[options.index("--log-file") + 1]).write_text((folder / "log").read_text())
            """
        )
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
