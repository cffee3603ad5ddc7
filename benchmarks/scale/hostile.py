"""Check that a run reports the hostile plugins of a library, and gives the same verdicts on all other plugins.

    python benchmarks/scale/hostile.py [--plugins 200] [--hostile 20] [--level 1] [--workers 2]

Each plugin of the library is a module. The library is certified twice: without hostile plugins, and with hostile
plugins in place of some. For each hostile plugin the script prints whether the report names its deed, and the finding.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib
import sys
import tempfile

from bench import run, show
from library import Plugin, plugins, write


@dataclasses.dataclass(frozen=True)
class Deed:
    """The deed of a hostile plugin. A callback with a deed computes nothing, so that a rule fails in any case.

    Attributes:
        where: The method with the deed; ``import`` for the module itself.
        code: The deed in Python.
        reported: A part of the finding that reports it; empty if any finding does.
    """

    where: str
    code: str
    reported: str = ""


_THREADS_AND_PROCESSES = """
    import subprocess, threading
    for _ in range(100):
        threading.Thread(target=threading.Event().wait).start()
    for _ in range(20):
        subprocess.Popen(["sleep", "3600"], start_new_session=True)
"""
_GARBAGE = """
    for each in range(3, 1024):
        try:
            os.write(each, b"garbage" * 99)
        except OSError:
            pass
"""
_BLIND_NUMPY = """
    for name in ("array_equal", "allclose", "isclose", "all", "any"):
        setattr(np, name, lambda *a, **k: True)
"""
_BROKEN_LIBRARY = """
    import json, time
    os._exit = sys.exit = json.dumps = print
    time.monotonic = time.sleep = lambda *a: 0
"""
_DEAF_CHILD = """
    import signal, time
    if os.fork() == 0:
        os.setsid()
        for each in (1, 2, 15):
            signal.signal(each, signal.SIG_IGN)
    time.sleep(3600)
"""
_NO_ENVIRONMENT = """
    import resource
    os.environ.clear()
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
"""
_SLEEP = "import time; time.sleep(3600)"
_GONE = "import tempfile; gone = tempfile.mkdtemp(); os.chdir(gone); os.rmdir(gone)"
_ALL_MEMORY = """
    hold = []
    while True:
        hold.append(np.empty(2**28, np.uint8))
"""
DEEDS = {
    "crashes": Deed("enqueue", "import ctypes; ctypes.string_at(1)", "died by SIGSEGV"),
    "aborts": Deed("clone", "os.abort()", "died by SIGABRT"),
    "exits": Deed("serialize", "os._exit(0)", "exit status 0"),
    "hangs_in_a_callback": Deed("configure_plugin", "while True: pass", "did not return within"),
    "hangs_in_the_creator": Deed("create_plugin", _SLEEP, "did not return within"),
    "hangs_in_its_import": Deed("import", _SLEEP, "did not return within"),
    "takes_all_memory": Deed("get_output_dimensions", _ALL_MEMORY, "MemoryError"),
    "starts_threads_and_processes": Deed("enqueue", _THREADS_AND_PROCESSES),
    "closes_its_output": Deed("enqueue", "os.close(1); os.close(2)"),
    "closes_every_descriptor": Deed("enqueue", "os.closerange(0, 4096)", "closed file descriptors"),
    "writes_to_every_descriptor": Deed("enqueue", _GARBAGE),
    "changes_the_folder": Deed("enqueue", _GONE),
    "patches_numpy": Deed("enqueue", _BLIND_NUMPY),
    "patches_the_library": Deed("enqueue", _BROKEN_LIBRARY),
    "raises_what_nobody_catches": Deed("enqueue", 'raise type("Odd", (BaseException,), {})()', "Odd"),
    "interrupts": Deed("enqueue", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    "deletes_its_file": Deed("enqueue", "pathlib.Path(__file__).unlink(missing_ok=True)"),
    "hides_from_signals": Deed("enqueue", _DEAF_CHILD, "did not return within"),
    "floods_its_output": Deed("enqueue", 'for _ in range(100): os.write(1, b"x" * 2**20)'),
    "recurses": Deed("enqueue", "sys.setrecursionlimit(10**9); deed(*a)", "died by SIGSEGV"),
    "changes_the_environment": Deed("enqueue", _NO_ENVIRONMENT),
}
_CREATORS = ("create_plugin", "deserialize_plugin")
_BESIDE = "\n\nimport os, pathlib, sys\n\n\ndef deed(*a):\n    {deed}\n\n\n"


def hostile(plugin: Plugin, name: str) -> Plugin:
    """Return a plugin with the hostile deed of this name in its source."""
    deed = DEEDS[name]
    source = plugin.source + _BESIDE.format(deed=deed.code)
    if deed.where == "import":
        source += "deed()\n"
    else:
        owner = "Creator" if deed.where in _CREATORS else "Plugin"
        source += f"{plugin.name}{owner}.{deed.where} = deed\n"
    return dataclasses.replace(plugin, source=source)


def with_hostile_ones(library: list[Plugin], names: list[str]) -> dict[str, Plugin]:
    """Return hostile plugins by name, each made from a plugin with all the methods, which are those of version 2."""
    places = [plugin for plugin in library if "IPluginV2DynamicExt" in plugin.source]
    step = max(1, len(places) // len(names))
    return {name: hostile(plugin, name) for name, plugin in zip(names, places[::step], strict=False)}


def verdicts(report: dict, modules: set[str]) -> dict[tuple[str, str, str], str]:
    """Return the verdict of each rule on each case of the plugins of these modules."""
    return {
        (entry["key"], entry["case"], rule["id"]): rule["verdict"]
        for entry in report["plugins"]
        if entry["module"] in modules
        for rule in entry["rules"]
    }


def defects(report: dict, module: str) -> list[str]:
    """Return the violations of a module and of its plugins' failed rules, as texts without repetitions."""
    entries = [entry for entry in report["modules"] if entry["module"] == module]
    entries += [
        rule
        for entry in report["plugins"]
        if entry["module"] == module
        for rule in entry["rules"]
        if rule["verdict"] == "FAIL"
    ]
    texts = (f"{each['what']}: {each['observed']}" for entry in entries for each in entry["violations"])
    return list(dict.fromkeys(texts))


def main() -> None:
    """Certify without hostile plugins and with them, and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugins", type=int, default=200)
    parser.add_argument("--hostile", type=int, default=20)
    parser.add_argument("--level", default="1")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--names", nargs="+", choices=list(DEEDS))
    given = parser.parse_args()
    generated = plugins(given.plugins)
    chosen = with_hostile_ones(generated, given.names or list(DEEDS)[-given.hostile :])
    replaced = {plugin.module: plugin for plugin in chosen.values()}
    good = [plugin for plugin in generated if plugin.module not in replaced]
    options = [f"--plugin-level={given.level}", "--plugin-timeout=5"]
    print(f"{len(good)} good plugins, {len(chosen)} hostile ones, level {given.level}; ", end="")
    print(f"{len(os.sched_getaffinity(0))} processors, load {os.getloadavg()[0]:.2f} before", flush=True)
    runs = []
    for library in (good, [replaced.get(plugin.module, plugin) for plugin in generated]):
        with tempfile.TemporaryDirectory(prefix="hostile-") as name:
            folder = pathlib.Path(name)
            print(f"\n{len(library)} plugins", flush=True)
            runs.append(run(folder, write(folder, library, as_package=False), given.workers, options))
            show(runs[-1], len(library))
    without, with_them = runs
    names = {plugin.module for plugin in good}
    before, after = verdicts(without.report, names), verdicts(with_them.report, names)
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    print(f"{len(before):,} verdicts on good plugins, {len(changed)} changed: {sorted(changed)[:5]}")
    missed = 0
    for name, plugin in chosen.items():
        texts = defects(with_them.report, plugin.module)
        word = DEEDS[name].reported
        finding = next((each for each in texts if word in each), "")
        missed += not finding
        print(f"{'named' if finding else 'MISSED':<7} {name}: {finding.splitlines()[0] if finding else texts[:2]}")
    print(f"load {os.getloadavg()[0]:.2f} after")
    sys.exit(bool(changed or missed))


if __name__ == "__main__":
    main()
