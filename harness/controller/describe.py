"""Ask each module's child for the module's plugins, and report errors in the options and cases.

A child takes half a second to start, because it imports NumPy and the reference runtime. If a run has many modules,
several are imported at the same time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.config import expected_failures as file_of_expectations
from harness.config import program as programs
from harness.config.errors import UsageError
from harness.contract import expected_failures as expectation
from harness.contract import plugin_patterns
from harness.contract.api_level import DEFAULT
from harness.contract.shared_libraries import is_library
from harness.contract.suggestions import nearest, suggestion
from harness.contract.verdict import Answer, Kind
from harness.results.run_plan import Described, failed_discovery, failed_import, failed_module

if TYPE_CHECKING:
    from harness.contract.catalogue import Catalogue
    from harness.controller.children.factory import Children
    from harness.protocol.asked import Isolation, Loaded

    #: How the import went, and the plugins and problems in the module; empty if the import failed.
    Seen = tuple[Loaded, dict[str, Any]]


def describe(  # noqa: PLR0913 - each is an option of the user's
    modules: Sequence[str],
    children: Children,
    catalogue: Catalogue,
    folders: Sequence[str],
    spec: str = DEFAULT,
    *,
    expected_failures: str = "",
    include: Sequence[str] = (),
    at_once: int = 1,
) -> list[Described]:
    """Return a description of each module; that of a module that cannot be imported has the failure.

    Args:
        modules: The modules as the user named them, and applications as ``module:function``.
        children: The processes that import the modules.
        catalogue: The installed rules.
        folders: The folders where modules are searched.
        spec: The API level at which the modules are imported.
        expected_failures: The file that lists expected failures, or the empty string.
        include: The patterns of ``--plugin-include``.
        at_once: How many modules are imported at the same time. If this is more than one, no child stays open.

    Raises:
        UsageError: A module does not exist, a case or an expected failure is wrong, or a pattern matches no plugin.
    """
    described: list[Described] = []
    problems, strangers = [], []
    for module, (loaded, contents) in _look(list(dict.fromkeys(_subjects(modules))), children, spec, at_once):
        recorded = programs.program_of(module)  # the module before is the program itself, which reports its failures
        if not loaded.exists:
            problems += [] if recorded else [_missing(*_option_of(module), loaded, folders)]
        elif recorded and not contents.get("plugins"):
            skipped = contents["skipped"] if loaded.ok else [_unrecorded(recorded, described[-1].file, loaded)]
            described[-1] = dataclasses.replace(described[-1], skipped=tuple(skipped))
        elif not loaded.ok:
            answer = loaded.answer or Answer(Kind.MET)
            file = _file_of(module, folders)
            described.append(Described(module, module, failure=failed_import(answer).to_plain(), file=file))
        else:
            problems += [problem["text"] for problem in contents["problems"] if problem["kind"] == "usage"]
            strangers.append([problem["text"] for problem in contents["problems"] if problem["kind"] == "stranger"])
            described.append(_described(module, loaded.name, contents, _file_of(module, folders)))
    problems += _strange_to_all(strangers, described)
    problems += _included_in_vain(include, described)
    problems += _expectations(expected_failures, described, catalogue)
    if problems:
        raise UsageError(*dict.fromkeys(problems))
    return described


def _subjects(modules: Sequence[str]) -> Iterator[str]:
    """Yield each name that the user gave, and after each application a name for the plugins that it uses."""
    for module in modules:
        yield module
        if ":" in module:
            yield programs.plugins_of(module)


def _look(modules: Sequence[str], children: Children, spec: str, at_once: int = 1) -> Iterator[tuple[str, Seen]]:
    """Yield each module with its plugins and problems, in the given order.

    If ``at_once`` is more than 1, that many threads import modules. A child dies with the thread that started it. So
    each thread ends its children itself.
    """
    if at_once <= 1:
        for module in modules:
            yield module, _seen(children.of(module, spec))
        return
    futures: list[Future[Seen]] = [Future() for _ in modules]
    work = iter(list(zip(modules, futures, strict=True)))
    lock = threading.Lock()

    def worker() -> None:
        while True:
            with lock:
                module, future = next(work, ("", None))
            if future is None:
                return
            try:
                with contextlib.closing(children.make(module, spec)) as child:
                    future.set_result(_seen(child))
            except BaseException as error:  # noqa: BLE001 - the thread that waits raises it
                future.set_exception(error)

    for _ in range(at_once):  # as daemons: an interrupted run does not wait for an import that hangs
        threading.Thread(target=worker, daemon=True).start()
    for module, future in zip(modules, futures, strict=True):
        yield module, future.result()


def _seen(child: Isolation) -> Seen:
    loaded = child.load()
    return loaded, child.discover() if loaded.ok else {}


def _unrecorded(program: str, file: str, loaded: Loaded) -> dict[str, Any]:
    """Return the plugins of a program that could not run a second time."""
    failure = loaded.answer.mishap if loaded.answer else None
    why = f"the run that records them {failure.how if failure else 'failed'}"
    return {"name": f"plugins of {program}", "file": file, "line": 0, "why": why}


def _described(module: str, name: str, contents: dict[str, Any], file: str) -> Described:
    failures = [problem for problem in contents["problems"] if problem["kind"] == "fail"]
    failure = None
    if failures and failures[0].get("answer"):
        failure = failed_discovery(Answer.from_plain(failures[0]["answer"]))
    elif failures:
        failure = failed_module(name, failures)
    return Described(
        module,
        name,
        contents["plugins"],
        failure.to_plain() if failure else None,
        file=file,
        written=contents.get("written", {}),
        left_out=tuple(contents.get("left_out", ())),
        skipped=tuple(contents.get("skipped", ())),
    )


def _file_of(module: str, folders: Sequence[str]) -> str:
    """Return the file of a module, without an import; empty if no file has this name."""
    name = _option_of(module)[1]
    if os.sep in name or name.endswith(".py"):
        places = [Path(name)]
    else:
        places = [Path(folder, *name.split(".")) for folder in folders]
    for place in places:
        for file in (place, place.with_name(f"{place.name}.py"), place / "__init__.py"):
            if file.is_file():
                return str(file.absolute())
    return ""


def _included_in_vain(patterns: Sequence[str], described: Sequence[Described]) -> Iterator[str]:
    """Yield an error for each pattern that matches no plugin; none if a module failed, which may have the plugin."""
    known = [key for module in described for key in (*(plugin["key"] for plugin in module.plugins), *module.left_out)]
    for pattern in patterns:
        if not plugin_patterns.matches_any([pattern], known) and all(module.failure is None for module in described):
            yield f"--plugin-include={pattern} fits no plugin; found: {', '.join(sorted(known)) or 'no plugin'}"


def _strange_to_all(strangers: Sequence[Sequence[str]], described: Sequence[Described]) -> Iterator[str]:
    """Yield an error for each case of --plugin-cases that belongs to no plugin of any module."""
    keys = [plugin["key"] for module in described for plugin in module.plugins]
    for text in strangers[0] if strangers else ():
        if all(text in others for others in strangers):
            near = suggestion(text.rpartition(" ")[2], keys, alike=0.6)
            yield f"{text}, which is not there{near}; found: {', '.join(keys) or 'no plugin'}"


def _expectations(path: str, described: Sequence[Described], catalogue: Catalogue) -> Iterator[str]:
    """Add the file's expected failures to the plugins' cases.

    Yield an error for each expected failure whose plugin, case or rule does not exist, or whose rule cannot fail.
    """
    plugins = [plugin for module in described for plugin in module.plugins]
    left_out = {key for module in described for key in module.left_out}
    listed: expectation.Listed = {}
    if path:
        try:
            read = file_of_expectations.read(Path(path))
        except expectation.ExpectationError as error:
            yield f"--plugin-expected-failures: {error}"
            return
        listed = {key: cases for key, cases in read.items() if key not in left_out}
        in_vain = list(expectation.merge(listed, plugins, path))
        if all(module.failure is None for module in described):  # what is missing may be in a module that failed
            for problem, word, known in in_vain:
                yield f"--plugin-expected-failures: {problem}{suggestion(word, known)}"
    expected = (
        (plugin, case["name"], rule_id)
        for plugin in plugins
        for case in plugin["cases"]
        for rule_id in case.get("expected_failures", {})
    )
    for plugin, case, rule_id in expected:
        problem = _why_never_judged(rule_id, plugin["interface"], catalogue)
        if problem and rule_id in listed.get(plugin["key"], {}).get(case, {}):
            yield f"--plugin-expected-failures: {path}: {plugin['key']} {case} names {rule_id!r}, and {problem}"
        elif problem:
            yield f"case {case!r} of {plugin['key']}: expected_failures names {rule_id!r}, and {problem}"


def _why_never_judged(rule_id: str, interface: str, catalogue: Catalogue) -> str:
    """Return why a rule cannot fail on a plugin; empty if it can."""
    if rule_id not in catalogue.rules:
        return f"the rule does not exist{suggestion(rule_id, catalogue.rules)}"
    concerned = sorted(each.value for each in catalogue[rule_id].interfaces)
    if interface not in concerned:
        return f"that rule is about {', '.join(concerned)}, not {interface}: remove the entry"
    return ""


def _option_of(module: str) -> tuple[str, str]:
    """Return the option as the user wrote it, and the module in it."""
    named = programs.program_of(module) or module
    if ":" in named:
        return f"--plugin-app={named}", programs.parse(named).module
    return f"--plugin-{'library' if is_library(named) else 'module'}={named}", named


def _missing(option: str, module: str, loaded: Loaded, folders: Sequence[str]) -> str:
    reason = loaded.answer.reason if loaded.answer else "the module does not exist"
    if os.sep in module or module.endswith(".py"):
        folder = Path(module).parent
        if not folder.is_dir():
            return f"{option}: {reason}; there is no folder {folder}"
        names = [str(folder / entry.name) for entry in folder.iterdir() if entry.suffix == ".py" or entry.is_dir()]
        return f"{option}: {reason}{suggestion(module, names)}"
    others = len(folders) - 1
    searched = f"searched in {folders[0]} and {others} other folders of sys.path"
    return f"{option}: {reason}; {searched}{_nearest_module(module, folders)}"


def _nearest_module(module: str, folders: Sequence[str]) -> str:
    before: list[str] = []
    parts = module.split(".")
    for index, part in enumerate(parts):
        entries = [
            entry
            for folder in (Path(folder, *before) for folder in folders)
            for entry in (folder.iterdir() if folder.is_dir() else ())
        ]
        modules = (entry.stem for entry in entries if entry.suffix == ".py" or entry.is_dir())
        names = set(filter(str.isidentifier, modules))
        if part not in names:
            near = nearest(part, names)
            return f" (did you mean {'.'.join([*before, near, *parts[index + 1 :]])!r}?)" if near else ""
        before.append(part)
    return ""
