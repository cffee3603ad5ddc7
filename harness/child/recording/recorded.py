"""Run a program, and hold its module and the cases of the plugins that it used."""

from __future__ import annotations

import dataclasses
import importlib
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from harness.applications.scripts import command_line, run_script, script_module
from harness.cases.case import Case, CaseError
from harness.child.onnx_models.cases import cases_of
from harness.child.recording.recorder import Recorder
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.devices.current import use
from reference_runtime.devices.host import HostDevice

if TYPE_CHECKING:
    from harness.checks.sampling.sampling import Shapes
    from harness.config.program import Program


class Recorded(msgspec.Struct, frozen=True):
    """The result of recording a program.

    Attributes:
        module: The program's module.
        cases: The cases; uses that differ only in the names of their layers are one case.
        problems: Why some uses of plugins have no case.
        error: The traceback of the error that ended the program; empty without an error.
        used: The shapes with which the program executed each plugin, by plugin key.
    """

    module: ModuleType
    cases: tuple[Case, ...]
    problems: tuple[str, ...] = ()
    error: str = ""
    used: Mapping[str, Sequence[Shapes]] = msgspec.field(default_factory=dict)

    @property
    def keys(self) -> frozenset[str]:
        """Return the keys of the plugins that the program uses."""
        return frozenset(case.key for case in self.cases)


def record(program: Program, import_module: Callable[[str], ModuleType], *, device: HostDevice, seed: int) -> Recorded:
    """Run a program until it returns, exits or raises, and return what was recorded.

    Raises:
        NoScriptError: The script does not exist.
        Exception: The module of a function cannot be imported.
    """
    recorder = Recorder()
    module = script_module(Path(program.module)) if program.is_script else None
    gate = Gate(observers=[recorder], quiet=True)
    file = program.module if module is None else str(module.__file__)
    with command_line(file, program.arguments), watching(gate), use(device), scheduling(seed):
        if module is None:
            module = import_module(program.module)
        with recorder.recording():
            error = _ended(_main(module, program))
    cases, problems = _cases(recorder)
    return Recorded(module, cases, problems, error, {key: tuple(shapes) for key, shapes in recorder.used.items()})


def on_the_host(program: Program, import_module: Callable[[str], ModuleType]) -> Recorded:
    """Do as `record`, on a new host device with seed 0."""
    return record(program, import_module, device=HostDevice(), seed=0)


def _main(module: ModuleType, program: Program) -> Callable[[], object]:
    if program.is_script:
        return lambda: run_script(module)
    main: Callable[[], object] = getattr(module, program.function)
    return main


def _ended(main: Callable[[], object]) -> str:
    try:
        main()
    except SystemExit as leaving:
        return "" if leaving.code in (None, 0) else f"SystemExit: {leaving.code}"
    except Exception:  # noqa: BLE001 - a program may raise anything, which ends it
        return traceback.format_exc()
    return ""


def _cases(recorder: Recorder) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    trt = importlib.import_module("tensorrt") if "tensorrt" not in sys.modules else sys.modules["tensorrt"]
    uses, problems = [], list(recorder.problems)
    for each in recorder.uses:
        try:
            cases_of(trt, [each])
            uses.append(each)
        except CaseError as error:  # noqa: PERF203 - one use without a case must not hide the others
            problems.append(str(error))
    cases = [_with_data(each.key, each.case, recorder) for each in cases_of(trt, uses)]
    return tuple(cases), tuple(dict.fromkeys(problems))


def _with_data(key: str, case: Case, recorder: Recorder) -> Case:
    """Return a case with random values in the range of the program's data, and with the program's reference."""

    def with_range(place: int, entry: Any) -> Any:
        values = None if entry.shape_input or entry.values is not None else recorder.ranges.of(key, place)
        return entry if values is None else dataclasses.replace(entry, values=values)

    inputs = tuple(with_range(place, each) for place, each in enumerate(case.inputs))
    return dataclasses.replace(case, inputs=inputs, reference=recorder.comparisons.references.get(key))
