"""The plugins that our rules are held against: witnesses, near misses and examples, read without importing them."""

from __future__ import annotations

import ast
import dataclasses
import functools
import pathlib

from harness.contract.explaining.native_witnesses import native_faults as declared_in_cpp

EXAMPLES = pathlib.Path(__file__).parents[2] / "plugin_examples"
FAULTY = EXAMPLES / "faulty"
NEAR_MISSES = EXAMPLES / "near_misses"
#: Where sound plugins are that need no more than NumPy and CuPy.
SOUND = (".", "data_dependent", "decorated", "frameworks", "implicit_batch")
#: What examples in ``frameworks/`` compute with that may not be installed.
FRAMEWORKS = ("numba", "torch", "triton")
#: Families whose rules are part of a run that asks for them: tests of their own judge their witnesses.
WITH_AN_OPTION = ("nvidias_builder", "sanitizing")
#: What classes of plugins derive from: the interfaces, and the plainest base of ours.
PLUGINS = {"IPluginV2", "IPluginV2Ext", "IPluginV2IOExt", "IPluginV2DynamicExt", "IPluginV3", "Scale"}


@dataclasses.dataclass(frozen=True)
class Witness:
    """A planted fault, the rule that it breaks, why other rules see it too, and why fuzzing seldom finds it.

    ``on_gpu`` says that only a GPU shows it.
    """

    breaks: str
    also: dict[str, str]
    seldom: str = ""
    on_gpu: bool = False


def files_in(folder):
    """Return the modules of a folder of plugins, sorted; helpers of a package and tables of cases are none."""
    return sorted(file for file in folder.glob("*.py") if file.stem != "__init__" and "_cases" not in file.stem)


def families_in(folder):
    """Return the modules of all families of a folder, sorted by name."""
    return sorted((file for family in folder.iterdir() for file in files_in(family)), key=lambda file: file.stem)


def constants(file):
    """Return the values that a module gives to ``BREAKS``, ``ALSO``, ``SELDOM``, ``ON_GPU`` and ``LOOKS_LIKE``."""
    assigned = [node for node in ast.parse(file.read_text()).body if isinstance(node, ast.Assign)]
    values = {getattr(node.targets[0], "id", ""): node.value for node in assigned}
    names = ("BREAKS", "ALSO", "SELDOM", "ON_GPU", "LOOKS_LIKE")
    return {name: ast.literal_eval(values[name]) for name in names if name in values}


def dotted(file):
    """Return the dotted name of a module."""
    return ".".join(file.relative_to(EXAMPLES.parent).with_suffix("").parts)


def named(stem):
    """Return the dotted name of the plugin module with this file name, wherever in plugin_examples it is."""
    (file,) = EXAMPLES.rglob(f"{stem}.py")
    return dotted(file)


@functools.cache
def witnesses():
    """Return every witness by its module's dotted name: faulty plugins, and faulty applications."""
    found = {file: constants(file) for file in families_in(FAULTY) if file.parent.name not in WITH_AN_OPTION}
    return {
        dotted(file): Witness(
            values["BREAKS"], values.get("ALSO", {}), values.get("SELDOM", ""), values.get("ON_GPU", False)
        )
        for file, values in found.items()
        if "BREAKS" in values
    }


@functools.cache
def near_misses():
    """Return the rule that each near miss seems to break, by its module's dotted name; empty where it names none."""
    return {dotted(file): constants(file)["LOOKS_LIKE"] for file in families_in(NEAR_MISSES)}


def native_faults():
    """Return the faults that are planted in the sources in C++."""
    return declared_in_cpp({str(file): file.read_text() for file in sorted(FAULTY.glob("*/*.cpp"))})


def examples():
    """Return the dotted names of the sound plugins."""
    files = [file for folder in SOUND for file in files_in(EXAMPLES / folder)]
    return sorted(dotted(file) for file in files if not file.stem.startswith(FRAMEWORKS))


def applications():
    """Return the dotted names of the sound applications."""
    return [dotted(file) for file in files_in(EXAMPLES / "apps")]


def sound_bases():
    """Return ``(module, class)`` of each sound plugin that witnesses build upon."""
    return [
        (file.stem, node.name)
        for file in sorted((FAULTY / "bases").glob("sound_*.py"))
        for node in ast.parse(file.read_text()).body
        if isinstance(node, ast.ClassDef)
        and PLUGINS & {getattr(base, "attr", getattr(base, "id", "")) for base in node.bases}
    ]
