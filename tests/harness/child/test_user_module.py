"""Finding the user's module by name and by path."""

import sys

import pytest

from harness.child.user_module import ModuleMissingError, import_module, in_its_folder
from harness.protocol.messages import ChildSettings


@pytest.fixture(autouse=True)
def _clean_import_state(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        del sys.modules[name]


def write(path, text="", *packages):
    path.parent.mkdir(parents=True, exist_ok=True)
    for package in packages:
        (package / "__init__.py").touch()
    path.write_text(text)


def test_a_file_is_imported_by_its_path_with_its_siblings(tmp_path):
    write(tmp_path / "lone" / "helper_of_lone.py", "VALUE = 5")
    write(tmp_path / "lone" / "lone_plugin.py", "from helper_of_lone import VALUE")
    module = import_module("lone/lone_plugin.py")
    assert (module.__name__, module.VALUE) == ("lone_plugin", 5)


def test_a_file_in_a_package_gets_its_dotted_name(tmp_path):
    outer, inner = tmp_path / "src" / "outer_pkg", tmp_path / "src" / "outer_pkg" / "inner"
    write(inner / "part.py", "from ..base import BASE")
    write(outer / "base.py", "BASE = 1", outer, inner)
    assert import_module("src/outer_pkg/inner/part.py").__name__ == "outer_pkg.inner.part"


def test_a_folder_is_its_package(tmp_path):
    write(tmp_path / "some_package" / "__init__.py", "NAME = __name__")
    assert import_module("./some_package").NAME == "some_package"


@pytest.mark.parametrize("name", ["types.py", "json.py", "a.b.py", "__main__.py"])
def test_a_file_whose_name_is_taken_gets_another_one(tmp_path, name):
    write(tmp_path / name, "MINE = True")
    module = import_module(f"./{name}")
    assert module.MINE
    assert module.__name__.startswith("plugin_module_")
    assert sys.modules[module.__name__] is module


@pytest.mark.parametrize(
    "name", ["no_such_module", "no_such_package.module", "os.path.nothing", "nothing.py", "./nowhere", "", ".x", "a-b"]
)
def test_what_does_not_exist_is_told_apart(name):
    with pytest.raises(ModuleMissingError):
        import_module(name)


def test_what_an_existing_module_fails_to_import_is_its_own_failure(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    write(tmp_path / "needs_more.py", "import no_such_dependency")
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency"):
        import_module("needs_more")


def test_a_file_that_imports_its_neighbours_is_one_of_a_package_without_init(tmp_path):
    write(tmp_path / "loose" / "kernels.py", "SIZE = 4")
    write(tmp_path / "loose" / "plugin_of_loose.py", "from .kernels import SIZE")
    module = import_module("loose/plugin_of_loose.py")
    assert (module.__name__, module.SIZE) == ("loose.plugin_of_loose", 4)


def test_a_module_that_names_files_beside_it_finds_them(tmp_path):
    write(tmp_path / "net" / "weights" / "scale.txt", "3")
    write(tmp_path / "net" / "net_plugin.py", "import pathlib\nSCALE = pathlib.Path('weights/scale.txt').read_text()")
    settings = in_its_folder(ChildSettings("net/net_plugin.py", path=("lib",), cases=("net_cases.py", "other")))
    assert (settings.path, settings.cases) == ((str(tmp_path / "lib"),), (str(tmp_path / "net_cases.py"), "other"))
    assert import_module(settings.module).SCALE == "3"


def test_a_file_that_is_found_from_here_is_the_one_that_counts(tmp_path):
    write(tmp_path / "scale.txt", "here")
    write(tmp_path / "net" / "scale.txt", "there")
    write(tmp_path / "net" / "net_plugin.py", "import pathlib\nSCALE = pathlib.Path('scale.txt').read_text()")
    given = ChildSettings("net/net_plugin.py")
    assert in_its_folder(given) == given
