"""What becomes of an attack: the verdict of the rule that sees what all of them hide."""

import contextlib
import sys
from pathlib import Path

from harness.contract import catalogue
from harness.controller.children.isolation import ProcessIsolation
from harness.controller.judge import Runner
from harness.protocol.messages import ChildSettings
from harness.results.run_plan import PluginPlan

PLUGINS = Path(__file__).parent / "plugins"
#: The rule that compares outputs with the case's reference, which the plugin under all attacks breaks.
RULE = "ENQ-010"


def attacks() -> dict[str, Path]:
    """Return the file of each attack, by its name."""
    return {file.stem: file for file in PLUGINS.glob("*/*.py")}


def outcome(name: str, folder: Path | None = None) -> str:
    """Return in a line how an attack, or a module in a folder, is judged: where it stops, or a verdict."""
    known = catalogue.load()
    file = folder / f"{name}.py" if folder else attacks()[name]
    path = (str(file.parent), str(PLUGINS), str(PLUGINS / "answering"), *sys.path)
    settings = ChildSettings(module=str(file), path=path, timeout=20)
    with contextlib.closing(ProcessIsolation(settings)) as child:
        loaded = child.load()
        if not loaded.ok:
            return f"import: {loaded.answer.mishap.how}"
        found = child.discover()
        if not found["plugins"]:
            return f"discovery: {found['problems'][0]['text']}"
        (data,) = found["plugins"]
        plan = PluginPlan.from_plain(data, name, data["key"])
        result = Runner(known, child, (0,), {data["key"]: plan}).result(data["key"], "dynamic", RULE)
    doubts = f": {'; '.join(result.doubts)}" if result.doubts else ""
    return f"{result.verdict.value} {result.summary}".strip() + doubts
