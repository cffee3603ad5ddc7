"""A copy of a module has beside it what the original has, and nothing of the original is touched."""

import pytest

from harness.mutation import scratch


@pytest.fixture
def package(tmp_path):
    home = tmp_path / "home"
    (home / "acme" / "deep" / "__pycache__").mkdir(parents=True)
    for name in ("acme/__init__.py", "acme/deep/__init__.py", "acme/deep/one.py", "acme/deep/one_cases.py", "other.py"):
        (home / name).write_text(f"# {name}\n")
    return home


def test_a_module_is_found_by_name_and_by_path(package, monkeypatch):
    monkeypatch.syspath_prepend(package)
    one = package / "acme" / "deep" / "one.py"
    assert scratch.place_of("acme.deep.one", package) == one
    assert scratch.place_of("acme/deep/one.py", package) == one
    assert scratch.place_of(str(one), package) == one
    assert scratch.place_of("acme.deep", package) == package / "acme" / "deep"


@pytest.mark.parametrize("name", ["no_such_module", "acme.no_such", "no/such.py", "math"])
def test_what_is_not_there_or_not_in_python_is_told(package, name):
    with pytest.raises(scratch.ModuleMissingError, match=name):
        scratch.place_of(name, package)


def test_defects_go_into_sources_and_not_into_cases(package):
    files = scratch.files_of(package / "acme")
    assert [file.relative_to(package).as_posix() for file in files] == [
        "acme/__init__.py",
        "acme/deep/__init__.py",
        "acme/deep/one.py",
    ]


def test_a_copy_has_another_text_and_the_same_around_it(package, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    one = package / "acme" / "deep" / "one.py"
    copy = scratch.laid_out(one, one, "changed", there)
    assert copy == there / "acme" / "deep" / "one.py"
    assert copy.read_text() == "changed"
    assert one.read_text() == "# acme/deep/one.py\n"
    around = {file.relative_to(there).as_posix() for file in there.rglob("*")}
    assert around == {
        "acme",
        "acme/__init__.py",
        "acme/deep",
        "acme/deep/__init__.py",
        "acme/deep/one.py",
        "acme/deep/one_cases.py",
        "other.py",
    }


def test_a_package_is_where_its_folder_is(package, tmp_path):
    there = tmp_path / "there"
    there.mkdir()
    assert scratch.laid_out(package / "acme", package / "acme" / "deep" / "one.py", "", there) == there / "acme"
