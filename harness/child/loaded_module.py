"""Hold the user's module that this process has imported, with its cases and the rules that judge its plugins."""

from __future__ import annotations

import contextlib
import importlib
import sys
from typing import TYPE_CHECKING

import msgspec
from msgspec import structs

from harness.cases.case import Case, CaseError
from harness.cases.pickled import unpacked
from harness.child.devices import new_device
from harness.child.discovery.plugins import UsageProblem, collect_cases, discover, further_cases
from harness.child.nvidias_builder.running import get_ready
from harness.child.recording.limits import limited_cases
from harness.child.recording.recorded import record as recorded_run
from harness.child.shared_facts import SharedFacts
from harness.child.user_module import import_module
from harness.config.program import parse
from harness.contract import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from harness.child.discovery.plugins import Discovery
    from harness.child.recording.recorded import Recorded
    from harness.contract.rule import Rule
    from harness.protocol.messages import ChildSettings


class LoadedModule(msgspec.Struct, frozen=True):
    """The imported module, with the data that its requests need.

    Attributes:
        settings: The settings of the child.
        module: The user's module.
        cases: The cases in the module itself; for a program, those of its run.
        further: The cases in other files and modules, and those that the caller made in memory.
        rules: The rules by id.
        problem: The usage error in the cases or the setup; empty without one.
        recorded: The run of a program, if the plugins of a program are judged.
        facts: What rules share about the plugin that was judged last.
    """

    settings: ChildSettings
    module: ModuleType
    cases: tuple[Case, ...]
    further: tuple[Case, ...]
    rules: dict[str, Rule]
    problem: str = ""
    recorded: Recorded | None = None
    facts: SharedFacts = msgspec.field(default_factory=SharedFacts)

    def discovery(self, cases: Sequence[Case], further: Sequence[Case]) -> Discovery:
        """Return the plugins of the module; after the run of a program, only the plugins that the program used.

        Raises:
            UsageProblem: There is no plugin, or a case is for no plugin.
        """
        return discover(self.module, cases, further, None if self.recorded is None else self.recorded.keys)


class _Process:
    """The state of this process, which imports only one module."""

    loaded: LoadedModule | None = None
    recorded: Recorded | None = None
    #: The rules as they were before the import. The name is that of a constant, so `judging_code` notices a change.
    RULES: dict[str, Rule] | None = None


def rules() -> dict[str, Rule]:
    """Return the installed rules by id; call it before the import, since then they will judge the module."""
    _Process.RULES = catalogue.load_rules()
    return _Process.RULES


def record(settings: ChildSettings) -> ModuleType:
    """Run the program of the settings to its end, and return its module."""
    program = parse(settings.program)
    with contextlib.closing(new_device(settings)) as device:
        _Process.recorded = recorded_run(program, import_module, device=device, seed=settings.seed)
    return _Process.recorded.module


def prepare(settings: ChildSettings) -> None:
    """Read the cases and run the user's setup; called once, after the import and before the first fork."""
    module = sys.modules[settings.module]
    importlib.import_module("tensorrt")  # a native library, or a module with cases only, has not imported it
    if settings.device == "cuda":
        importlib.import_module("cupy")  # likewise; each fork would import it again, which takes seconds
    by_id = _Process.RULES or catalogue.load_rules()
    if settings.builder:
        get_ready()
    try:
        if settings.setup:
            _run_setup(settings.setup)
        recorded = _Process.recorded if settings.records else None
        cases = tuple(collect_cases(module)) if recorded is None else recorded.cases
        further = (*further_cases(settings.cases, module), *unpacked(settings.packed_cases))
    except (CaseError, UsageProblem) as error:
        _Process.loaded = LoadedModule(settings, module, (), (), by_id, str(error))
    else:
        _Process.loaded = LoadedModule(settings, module, cases, further, by_id, recorded=recorded)
        if recorded is not None and cases:
            _limit(_Process.loaded, recorded)


def _limit(world: LoadedModule, recorded: Recorded) -> None:
    """Limit the cases of a program's plugins to the shapes that the program used, if a plugin refuses other shapes."""
    try:
        discovery = world.discovery(recorded.cases, ())
    except (CaseError, UsageProblem):  # the discovery reports this error again
        return
    settings = world.settings
    with contextlib.closing(new_device(settings)) as device:
        cases = tuple(limited_cases(discovery, recorded.used, settings.spec, device))
    _Process.loaded = structs.replace(world, cases=cases)


def loaded() -> LoadedModule:
    """Return the loaded module of this process."""
    if _Process.loaded is None:
        raise RuntimeError("the child was asked before it was prepared")
    return _Process.loaded


def _run_setup(name: str) -> None:
    module_name, _, function = name.partition(":")
    try:
        setup = getattr(importlib.import_module(module_name), function)
    except (ModuleNotFoundError, AttributeError) as error:
        raise UsageProblem(f"--plugin-setup={name}: {error}; give it as module:function") from error
    setup()
