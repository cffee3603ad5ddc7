"""The tree shows where things are: few modules a folder, and tests where the modules are that they test."""

import pathlib

ROOT = pathlib.Path(__file__).parents[1]
MIRRORED = ("harness", "reference_runtime", "conformance")
#: Modules of a folder at most; ``__init__.py`` aside.
MOST = 24


def modules_in(folder):
    return [file for file in folder.glob("*.py") if file.stem != "__init__"]


def test_no_folder_has_too_many_modules():
    roots = [ROOT / name for name in (*MIRRORED, "tools", "tests")]
    folders = [folder for root in roots for folder in (root, *root.rglob("*/")) if folder.is_dir()]
    numbers = {str(folder.relative_to(ROOT)): len(modules_in(folder)) for folder in folders}
    assert numbers["tests"] > 0
    assert {folder: number for folder, number in numbers.items() if number > MOST} == {}


def test_a_test_lies_where_its_module_does():
    tests = [
        file.relative_to(ROOT / "tests") for name in MIRRORED for file in (ROOT / "tests" / name).rglob("test_*.py")
    ]
    assert len(tests) > 100
    assert [str(test) for test in tests if not has_its_module(test)] == []


def has_its_module(test):
    """Whether there is a module or package of the test's name in the same place, or the place itself has that name."""
    name = test.stem.removeprefix("test_")
    home = ROOT / test.parent
    return (home / f"{name}.py").exists() or (home / name).is_dir() or (home.name == name and home.is_dir())
