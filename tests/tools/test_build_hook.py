"""A wheel has the faulty examples in an archive, which is read as the files are."""

import pathlib

import pytest

pytest.importorskip("hatchling", reason="needs the package that builds wheels", exc_type=ModuleNotFoundError)

from build_hook import ARCHIVE, Examples, named, pack

from harness.contract.explaining import witnesses
from tests.support.witnesses import native_faults

ROOT = pathlib.Path(__file__).parents[2]


def test_the_archive_is_read_as_the_files_are(tmp_path, monkeypatch):
    in_cpp_alone = {fault.breaks for fault in native_faults()} - {each.breaks for each in witnesses.witnesses()}
    assert in_cpp_alone
    rules = {"FMT-001", *in_cpp_alone}
    from_files = witnesses.witnesses(), witnesses.by_rule(rules)
    assert set(from_files[1]) == rules
    installed = tmp_path / "plugin_examples"
    installed.mkdir()
    pack(ROOT, tmp_path / ARCHIVE)
    monkeypatch.setattr(witnesses, "_folder", lambda: installed)
    assert (witnesses.witnesses(), witnesses.by_rule(rules)) == from_files


def test_the_archive_is_the_same_for_the_same_files(tmp_path):
    for name in ("once", "again"):
        pack(ROOT, tmp_path / name)
    assert (tmp_path / "once").read_bytes() == (tmp_path / "again").read_bytes()


def test_what_a_document_certifies_is_in_the_wheel_with_all_that_it_imports(tmp_path):
    faulty = "plugin_examples/faulty"
    texts = {
        "README.md": "$ pytest --plugin-module=plugin_examples.faulty.cloning.named",
        "docs/how_to/page.md": "Not plugin_examples/faulty/cloning/linked.py, a link.",
        f"{faulty}/__init__.py": "",
        f"{faulty}/bases/__init__.py": "",
        f"{faulty}/bases/base.py": "",
        f"{faulty}/cloning/__init__.py": "",
        f"{faulty}/cloning/linked.py": "",
        f"{faulty}/cloning/named.py": "from plugin_examples.faulty.bases.base import Base",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    assert named(tmp_path) == {name for name in texts if name.startswith(faulty) and not name.endswith("linked.py")}


def test_only_a_wheel_has_the_archive(tmp_path):
    for version, added in (("editable", set()), ("standard", {ARCHIVE})):
        data = {"force_include": {}}
        (tmp_path / "README.md").write_text("")
        Examples(str(tmp_path), {}, None, None, str(tmp_path), "wheel").initialize(version, data)
        assert set(data["force_include"].values()) == added
