"""Run one case under a tool of compute-sanitizer: start the process, wait for its end, and read the tool's report."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from harness.child.new_interpreter.command import command
from harness.child.sanitizer.memory import Piece
from harness.child.sanitizer.report import ReportError, SanitizerRecord, records_of
from harness.contract.finding import NotRun
from harness.contract.sanitizer_tool import SECONDS, Tool
from harness.process import compute_sanitizer, own_clock
from harness.process.temporary import temporary_folder
from harness.protocol.requests import RequestKind
from reference_runtime.devices.cuda_planted import KERNEL

if TYPE_CHECKING:
    from harness.protocol.messages import ChildTask
    from harness.subject.subject import Subject

#: Kinds of records about kernels, by tool.
_OF_KERNELS: Final = {
    Tool.MEMCHECK: {"Precise", "Imprecise"},
    Tool.RACECHECK: {"Analysis"},
    Tool.INITCHECK: {"Initcheck"},
    Tool.SYNCCHECK: {"Synccheck"},
}
#: Kinds of records that are ignored, since they are not about kernels: refused calls of CUDA, and copies of memory that
#: was never written.
_IGNORED: Final = {"Api", "InitcheckApiError"}
_NO_WARNINGS: Final = {"", "Error"}
#: Keeps torch from using its pool of memory, in which the tool does not see accesses out of bounds.
_ENVIRONMENT: Final = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
#: Seconds between the tool's deadline and the rule's deadline.
_MARGIN: Final = 20.0
_LAST_LINES: Final = 4


class SanitizedRun(msgspec.Struct, frozen=True):
    """The report of one compute-sanitizer tool on one case.

    Attributes:
        records: The errors that the tool found in the plugin's kernels.
        executions: The input shapes of each execution.
        memory: The memory of all executions.
        trouble: Why the executions or the report are incomplete; empty if they are complete.
    """

    records: tuple[SanitizerRecord, ...]
    executions: tuple[Any, ...] = ()
    memory: tuple[Piece, ...] = ()
    trouble: str = ""


def watched(tool: Tool, subject: Subject) -> SanitizedRun:
    """Execute the subject's case under a tool.

    Raises:
        NotRun: The tool is not installed, refuses the device, does not end, or misses the defect of the test kernel.
    """
    path, task = compute_sanitizer.program_path(), subject.task
    if path is None or task is None:
        raise NotRun(f"{compute_sanitizer.NAME} is not installed" if task else "the subject was made outside a child")
    request = task.request.asking(RequestKind.SANITIZED, tool.value)
    with temporary_folder() as folder:
        return _Run(Path(folder), tool, path).of(dataclasses.replace(task, request=request))


def _end_of(file: Path) -> str:
    """Return the last lines of a file, without the tool's decoration of lines."""
    lines = file.read_text("utf-8", errors="replace").splitlines() if file.exists() else []
    said = [words for line in lines if (words := line.lstrip("= ").strip()) and words != "COMPUTE-SANITIZER"]
    return "; ".join(said[-_LAST_LINES:])


class _Run:
    """One run of the tool, with its files in one folder."""

    def __init__(self, folder: Path, tool: Tool, program_path: str) -> None:
        self._tool = tool
        self._program = program_path
        self._request, self._answer = folder / "request.json", folder / "answer.json"
        self._report, self._log, self._output = folder / "report.xml", folder / "log", folder / "output"

    def of(self, task: ChildTask) -> SanitizedRun:
        """Do the task under the tool, and return the result."""
        self._request.write_text(json.dumps(task.to_plain()), "utf-8")
        self._wait(self._start())
        records = [record for record in self._records() if record.kernel != KERNEL]
        payload = self._payload()
        trouble, kinds = payload["trouble"], _OF_KERNELS[self._tool]
        strange = next((record for record in records if record.kind not in kinds | _IGNORED), None)
        if strange and not trouble:  # a record of an unknown kind may matter
            trouble = f"{self._tool.value} reports what is not known here: {strange.kind}: {strange.text}"
        executions = payload["executions"]
        return SanitizedRun(
            tuple(record for record in records if record.level in _NO_WARNINGS and record.kind in kinds),
            tuple(each["shapes"] for each in executions),
            tuple(
                Piece(label, address, nbytes, tuple(map(tuple, each["shapes"])))
                for each in executions
                for label, address, nbytes in each["memory"]
            ),
            trouble,
        )

    def _start(self) -> subprocess.Popen[bytes]:
        started = command(self._request, self._answer)
        with self._output.open("wb") as output:
            return subprocess.Popen(  # noqa: S603 - the tool of the user's CUDA on our own interpreter
                [self._program, *compute_sanitizer.arguments(self._tool, self._report, self._log), *started],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **_ENVIRONMENT},
                start_new_session=True,
            )

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        try:
            own_clock.await_end(process.pid, SECONDS - _MARGIN)
            if process.poll() is None:
                raise NotRun(f"it did not end within {SECONDS - _MARGIN:g} s under {self._tool.value}")
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _records(self) -> list[SanitizerRecord]:
        """Return all records of the report, if the defect of the test kernel is among them."""
        try:
            records = records_of(self._report.read_text("utf-8"))
        except (OSError, ReportError) as error:
            raise NotRun(f"{self._tool.value} wrote no report: {self._tools_words}") from error
        if not any(record.kernel == KERNEL for record in records):
            raise NotRun(f"{self._tool.value} does not report the defect of a test kernel: {self._tools_words}")
        return records

    def _payload(self) -> dict[str, Any]:
        """Return what `executed` returned in the process; if it wrote no answer, say so as ``trouble``."""
        if not self._answer.exists():
            last = _end_of(self._output) or "it printed nothing"
            return {"executions": [], "trouble": f"the process ended under {self._tool.value}: {last}"}
        payload: dict[str, Any] = json.loads(self._answer.read_text("utf-8"))["payload"]
        return payload

    @property
    def _tools_words(self) -> str:
        return _end_of(self._log) or _end_of(self._output) or "it said nothing"
