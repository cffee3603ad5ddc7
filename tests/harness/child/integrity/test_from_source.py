"""Sources of the user's modules are compiled anew; tests/attacks has modules whose compiled files differ."""

from importlib.machinery import SourceFileLoader

from harness.child.integrity import from_source
from harness.process import loaded_files


def test_folders_of_installed_modules_are_known_before_imports_ask_for_them(monkeypatch):
    # to find them, Python 3.13 imports a module: an import that asks for them would wait for itself
    monkeypatch.setattr(SourceFileLoader, "get_code", SourceFileLoader.get_code)  # put back at the end
    loaded_files.installed.cache_clear()
    from_source.install()
    assert loaded_files.installed.cache_info().currsize == 1
