"""Everything that is asked of both sides, as {test id: request}."""

import ast
import json
import pathlib
import re

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
SURFACE = json.loads((ROOT / "tests" / "data" / "surfaces" / "10.json").read_text())
BEHAVIOURS = json.loads((ROOT / "tests" / "data" / "runtime" / "behaviours.json").read_text())
NAMES = (HERE / "names.txt").read_text().split()
#: A computer without CUDA makes none of these.
WITHOUT_OBJECTS = {"ICudaEngine", "IExecutionContext", "IHostMemory", "Refitter", "Runtime"}
#: The classes whose methods call what a user's class overrides.
OVERRIDDEN = {
    name for name in NAMES
    if name.startswith(("IPlugin", "IProfiler", "IErrorRecorder", "IGpu", "IOutputAllocator", "IStream", "IDebug",
                        "IProgress", "ILogger")) and name != "IPluginRegistry"
}  # fmt: skip
_PARAMETER = re.compile(r"(?:^|, )(\w+): ((?:[^,\[\]]|\[[^\]]*\])+)")


def programs():
    """Return the programs that are written out, one for each public function of a file in ``programs``."""
    found = {}
    for file in sorted((HERE / "programs").glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                found[f"{file.stem}.{node.name}"] = {"program": f"programs.{file.stem}.{node.name}"}
    return found


def batteries():
    """Return the batteries for each enumeration and class that the genuine package has."""
    asked = {}
    for name in NAMES:
        if name in SURFACE["enums"]:
            asked[f"enumeration[{name}]"] = {"program": "batteries.enumeration", "arguments": [name]}
        else:
            for battery in ("shape", "signatures", *(("life", "attributes") if name not in WITHOUT_OBJECTS else ())):
                asked[f"{battery}[{name}]"] = {"program": f"batteries.{battery}", "arguments": [name]}
            if name in OVERRIDDEN:
                asked[f"overrides[{name}]"] = {"program": "batteries.overrides", "arguments": [name, methods(name)]}
    return asked


def methods(name):
    """Return the kinds of parameters of each method that a user's class can override."""
    members = SURFACE["classes"].get(name, {"members": {}})["members"]
    return {
        member: [kind.partition(" = ")[0] for _, kind in _PARAMETER.findall(texts[0][1 : texts[0].rindex(")")])][1:]
        for member, texts in members.items()
        if isinstance(texts, list) and texts and not member.startswith("_")
    }


def behaviours():
    """Return the measured cases that do without what the genuine package lacks."""
    return {
        f"case[{case['id']}]": {"code": case["code"]} for case in BEHAVIOURS if set(_names(case["code"])) <= {*NAMES}
    }


def _names(code):
    return re.findall(r"\btrt\.(\w+)", code)
