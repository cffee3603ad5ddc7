"""Build one model after the other in a new interpreter, which imports the user's module first.

The interpreter writes a line of JSON before each step, and a line with the result of each build. The process that
started it reads the lines, also after a crash. After each build, the interpreter collects garbage, so that a plugin
that is freed twice crashes there.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from harness.child import import_names, missing_packages, user_module
from harness.child.handed import recorder
from harness.child.nvidias_builder.asked import Asked
from harness.child.nvidias_builder.building import built
from harness.child.nvidias_builder.callbacks import Watch
from harness.contract import own_names
from harness.contract.shared_libraries import is_library
from reference_runtime import levels
from reference_runtime.calling.gate.scheduler import scheduling
from reference_runtime.instruments import NativeCrash

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.child.nvidias_builder.asked import WantedBuild
    from harness.protocol.messages import ChildSettings

#: The reference runtime builds as NVIDIA's builder does without a GPU: with clones, and without running any kernel.
_WAY: Final = {"way of a build": 2}


def main() -> None:
    """Do the task in the file ``sys.argv[1]``, and append lines to the file ``sys.argv[2]``.

    The file ``sys.argv[3]`` is the flight recorder.
    """
    request, lines, box = sys.argv[1:]
    del sys.argv[1:]
    own_names.leave_no_trace_in_path()
    recorder(os.open(box, os.O_RDWR))
    task = Asked.from_plain(json.loads(Path(request).read_text("utf-8")))
    with Path(lines).open("a", encoding="utf-8") as answers:
        _Program(task, answers).run()


class _Program:
    def __init__(self, task: Asked, answers: Any) -> None:
        self._task = task
        self._answers = answers
        self._calls: Any = None

    def run(self) -> None:
        """Import the module, and do all builds of the task."""
        try:
            trt = _imported(self._task.settings, self._task.runtime)
            self._calls = _insist_on(trt, self._task, self._say)
            gc.disable()
        except Exception as error:  # noqa: BLE001 - the user's module, which was not written for this package
            self._say(unusable=f"{type(error).__name__}: {error}")
            return
        with scheduling(0, _WAY):
            for build in self._task.builds:
                for _ in range(self._task.times):
                    self._build(trt, build)
        gc.enable()
        self._say(step="exit")

    def _build(self, trt: Any, build: WantedBuild) -> None:
        """Build once, write the result, and free the objects of the build."""

        def step(name: str) -> None:
            self._say(step=name, number=build.number)

        if self._calls is not None:
            self._calls.begin()
        before = os.fstat(2).st_size
        with Watch(trt) as watch:
            try:
                seen = built(trt, build, step)
            except NativeCrash as crash:  # the reference runtime raises this where TensorRT would crash
                seen = {"parsed": False, "plan": False, "outputs": [], "errors": [str(crash)]}
        sys.stderr.flush()
        written = os.pread(2, os.fstat(2).st_size - before, before).decode(errors="replace")
        source = watch if self._calls is None else self._calls
        answers = {"workspace": source.workspace, "fields": source.fields, "written": written}
        self._say(build=build.number, seen={**seen, **answers})
        step("collect")
        gc.collect()  # only here, so that a plugin that is freed twice always crashes in the same step

    def _say(self, **what: Any) -> None:
        self._answers.write(json.dumps(what) + "\n")
        self._answers.flush()


def _imported(settings: ChildSettings, runtime: str) -> Any:
    """Bind the name ``tensorrt``, import the user's module and run its setup; return TensorRT."""
    levels.apply(settings.spec)
    import_names.install(**({"tensorrt": runtime} if runtime else {"cupy": True}))
    trt = importlib.import_module("tensorrt")
    sys.path[:0] = [folder for folder in settings.path if folder not in sys.path]
    missing_packages.install(settings.stubs)
    if is_library(settings.module):
        _libraries().load(settings)
    else:
        user_module.import_module(settings.module)
    if settings.setup:
        module, _, function = settings.setup.partition(":")
        getattr(importlib.import_module(module), function)()
    missing_packages.end_of_import()
    return trt


def _libraries() -> Any:
    """Import and return the module for libraries in C++, which builds of Python plugins do not need."""
    return importlib.import_module(own_names.own("harness.child.nvidias_builder.libraries"))


class NameTakenError(Exception):
    """The builder already has a plugin with this name and version; the argument says so in a sentence."""


def _insist_on(trt: Any, task: Asked, say: Callable[..., None]) -> Any:
    """Register the creator, unless the module has done so; for a library, return the record of its calls.

    Raises:
        NameTakenError: The builder would make its own plugin in place of the user's.
    """
    creator, registry = task.creator, trt.get_plugin_registry()
    registered = registry.get_creator(creator.name, creator.version, creator.namespace)
    if registered is not None and type(registered).__module__ == trt.IPluginCreatorV3One.__module__:
        raise NameTakenError(f"the builder has its own {creator.name} of version {creator.version}: rename yours")
    if registered is not None:
        return None
    if is_library(task.settings.module):
        calls = _libraries().Calls(say)
        _libraries().offer(creator, trt, task.runtime, calls)
        return calls
    registry.register_creator(getattr(sys.modules[creator.module], creator.cls)(), creator.namespace)
    return None
