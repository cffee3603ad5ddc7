"""Files of modules and packages are found before and after a run, and named from one folder."""

import hashlib
import os

import pytest

from harness.certificate.files import FileError, Files, digest_of_file, known_before, named, package_files
from harness.config.options import Options


@pytest.fixture
def tree(tmp_path, monkeypatch):
    for name in ("pkg/__init__.py", "pkg/sub/k.cu", "pkg/__pycache__/a.pyc", "alone.py", "alone_cases.py", "c.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {name}\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_package_is_all_its_files_but_what_python_compiled(tree):
    assert [file.relative_to(tree).as_posix() for file in package_files(tree / "pkg")] == [
        "pkg/__init__.py",
        "pkg/sub/k.cu",
    ]


def test_a_digest_is_sha256_of_the_bytes_however_many(tmp_path):
    content = os.urandom(3 * 2**20 + 7)
    (tmp_path / "big").write_bytes(content)
    assert digest_of_file(tmp_path / "big") == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (Options(modules=("pkg",)), ["pkg/__init__.py", "pkg/sub/k.cu"]),
        (Options(modules=("pkg/",)), ["pkg/__init__.py", "pkg/sub/k.cu"]),
        (Options(modules=("pkg.sub",)), ["pkg/sub/k.cu"]),
        (Options(modules=("alone",)), ["alone.py", "alone_cases.py"]),
        (Options(modules=("alone.py",)), ["alone.py", "alone_cases.py"]),
        (Options(modules=("alone",), cases=("c",)), ["alone.py", "alone_cases.py", "c.py"]),
        (Options(modules=("alone",), setup="c:register"), ["alone.py", "alone_cases.py", "c.py"]),
        (Options(modules=(), apps=("c:main",)), ["c.py"]),
        (Options(modules=("there.is.none", "none.py")), []),
        (Options(modules=("alone.below",)), []),
    ],
)
def test_what_is_known_before_a_run(tree, options, names):
    known = known_before(options, (), tree)
    assert [file.relative_to(tree).as_posix() for file in known] == names
    assert all(digest == digest_of_file(file) for file, digest in known.items())


def source(**more):
    return {"module": "m", "given": "m", "file": "", "folders": [], "files": [], "build_id": "", **more}


def test_files_are_those_that_were_loaded_those_of_packages_and_further_ones(tree):
    sources = [
        source(file=str(tree / "pkg/__init__.py"), folders=[str(tree / "pkg")], files=[str(tree / "c.py")]),
        source(given="a", file=str(tree / "alone.py"), files=[str(tree / "alone.py")]),
    ]
    (tree / "model.onnx").touch()
    files = Files.of(sources, [str(tree / "model.onnx")], tree / "pkg")
    assert [each.name for each in files.subject] == [
        "../alone.py",
        "../c.py",
        "../model.onnx",
        "__init__.py",
        "sub/k.cu",
    ]
    assert [module.place for module in files.modules] == [".", "../alone.py"]
    assert files.packages == (tree / "pkg",)


def test_a_file_that_is_gone_is_told(tree):
    with pytest.raises(FileError, match=r"gone\.py took part in the run and cannot be read now"):
        Files.of([source(file=str(tree / "gone.py"), files=[str(tree / "gone.py")])], (), tree)


def test_a_name_that_is_no_text_is_told(tmp_path):
    with pytest.raises(FileError, match=r"is no UTF-8"):
        named(tmp_path / os.fsdecode(b"\xff.py"), tmp_path)
