"""Files are found where the plugin is said to be, and nowhere else; test_tampering.py has what changes in them."""

import shutil

import pytest

from harness.certificate.places import PlaceError
from tests.harness.certificate.test_verifying import changed


@pytest.mark.parametrize(
    ("copied_to", "place"),
    [
        ("elsewhere", "elsewhere"),
        ("elsewhere", "elsewhere/src/my_plugins"),
        ("deep/er", "deep/er/src/my_plugins"),
    ],
)
def test_files_are_found_where_the_plugin_is_said_to_be(issued, tmp_path, copied_to, place):
    shutil.copytree(issued.folder, tmp_path / copied_to)
    assert not issued.check(place=tmp_path / place).problems
    (tmp_path / copied_to / "src/my_plugins/kernels.py").write_text("SCALE = 3\n")
    (problem,) = issued.check(place=tmp_path / place).problems
    assert problem.startswith("src/my_plugins/kernels.py is not the file that was certified")


def test_a_package_is_found_without_the_folders_above_it(issued, tmp_path):
    shutil.copytree(issued.folder / "src" / "my_plugins", tmp_path / "my_plugins")
    assert not issued.check(place=tmp_path / "my_plugins").problems


def test_without_a_place_files_are_looked_for_in_the_current_folder(issued, tmp_path, monkeypatch):
    monkeypatch.chdir(issued.folder)
    assert not issued.check(place=None).problems
    monkeypatch.chdir(tmp_path)
    assert len(issued.check(place=None).problems) == 3


def test_a_place_that_is_none_is_told(issued, tmp_path):
    with pytest.raises(PlaceError, match=r"neither a folder nor one of src/my_plugins"):
        issued.check(place=tmp_path / "none")


def test_names_that_lead_elsewhere_are_no_way_around(issued, tmp_path):
    for name in ("/dev/zero", "\0", "..", "x" * 5000):
        plain = changed(issued, "subject", 0, "name", value=name)
        found = issued.check(plain, place=tmp_path).problems
        assert any(problem.startswith((f"{name} is not there", f"{name} cannot be read")) for problem in found)
