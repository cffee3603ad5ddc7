"""A child tells which files of the user's it has loaded, and none that belong to Python or to us."""

import ctypes
import os
import shutil
import subprocess
import sys
import textwrap

import pytest

from harness.process import loaded_files


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """Write files, import one of them, and forget all of them afterwards."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(tmp_path)

    def make(name, **files):
        for path, text in files.items():
            file = tmp_path / f"{path.replace('__in__', '/')}.py"
            file.parent.mkdir(exist_ok=True)
            file.write_text(textwrap.dedent(text))
        __import__(name)
        return sys.modules[name]

    yield make
    for name in set(sys.modules) - before:
        del sys.modules[name]


def told(module, tmp_path, **more):
    here = f"{tmp_path}/"
    return [file.removeprefix(here) for file in loaded_files.written(module, **more)["files"] if file.startswith(here)]


def test_the_disk_is_asked_for_the_users_files_and_for_our_packages_alone(imported, tmp_path, monkeypatch):
    module, asked, is_file = imported("mine", mine="import json\n"), [], os.path.isfile
    monkeypatch.setattr(loaded_files.os.path, "isfile", lambda file: asked.append(file) or is_file(file))
    assert loaded_files.modules_by_file(["mine"])[str(tmp_path / "mine.py")] is module
    (harness,) = sys.modules["harness"].__path__
    ours = [file for file in asked if file.startswith(f"{harness}/")]
    assert [file for file in asked if file.startswith(loaded_files.installed())] == []
    assert len(ours) <= 1, "the package itself"


def test_a_module_and_what_it_imports_of_the_users(imported, tmp_path):
    module = imported("mine", mine="import json, numpy, helper\n", helper="", unused="")
    assert told(module, tmp_path) == ["helper.py", "mine.py"]
    written = loaded_files.written(module)
    assert (written["file"], written["folders"]) == (f"{tmp_path}/mine.py", [])
    alien = [module for name, module in sys.modules.items() if name.partition(".")[0] in {"numpy", "json", "harness"}]
    assert len(alien) > 100
    assert not {module.__file__ for module in alien} & set(written["files"])


def test_a_package_tells_its_folder(imported, tmp_path):
    module = imported("pack", pack__in____init__="from . import one\n", pack__in__one="", pack__in__two="")
    assert told(module, tmp_path) == ["pack/__init__.py", "pack/one.py"]
    assert loaded_files.written(module)["folders"] == [f"{tmp_path}/pack"]


def test_what_is_installed_counts_where_it_was_named(imported, tmp_path, monkeypatch):
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / "installed_one.py").write_text("import installed_two\n")
    (site / "installed_two.py").touch()
    monkeypatch.syspath_prepend(site)
    module = imported("installed_one")
    assert told(module, tmp_path) == ["site-packages/installed_one.py"]
    assert told(module, tmp_path, others=["installed_two"]) == [
        "site-packages/installed_one.py",
        "site-packages/installed_two.py",
    ]


def test_what_judges_does_not_count_under_any_name(imported, tmp_path):
    module = imported("mine", mine="import rules_of_others\n", rules_of_others="")
    sys.modules["alias_of_rules"] = sys.modules["rules_of_others"]
    assert told(module, tmp_path, ours=["rules_of_others"]) == ["mine.py"]


def test_native_libraries_beside_and_below_the_module_count(imported, tmp_path):
    module = imported("mine", mine="")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    (tmp_path / "build").mkdir()
    (tmp_path / "k.c").write_text("int f(void) { return 1; }\n")
    for name in ("libloaded.so", "build/libbelow.so", "libunused.so"):
        subprocess.run([compiler, "-shared", "-fPIC", "-o", tmp_path / name, tmp_path / "k.c"], check=True)  # noqa: S603 - ours
    loaded = [ctypes.CDLL(str(tmp_path / name)) for name in ("libloaded.so", "build/libbelow.so")]
    assert [library.f() for library in loaded] == [1, 1]
    assert told(module, tmp_path) == ["build/libbelow.so", "libloaded.so", "mine.py"]
