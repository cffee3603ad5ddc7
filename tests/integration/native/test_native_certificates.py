"""A certificate of a library binds its file, and holds where the file is the one that was judged."""

import json
import shutil
import subprocess
import sys

import pytest

from reference_runtime.native.elf.reading import read
from tests.support import native_build

pytestmark = pytest.mark.nightly


def run(*arguments, folder):
    command = [
        sys.executable,
        "-c",
        "import sys; from harness.frontends.cli.main import main; sys.exit(main())",
        *arguments,
    ]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603 - our own


@pytest.mark.nightly
def test_a_certificate_holds_until_the_library_is_another(tmp_path):
    library = native_build.library(native_build.EXAMPLES / "bar.cpp")
    for file in (library, library.with_name("libbar_cases.py")):
        shutil.copy(file, tmp_path)
    made = run("certify", "--library=libbar.so", "-o", "cert.json", folder=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    (module,) = json.loads((tmp_path / "cert.json").read_text())["predicate"]["trtConformance"]["modules"]
    assert module["buildId"] == read(tmp_path / "libbar.so").build_id != ""
    assert run("verify", "cert.json", folder=tmp_path).returncode == 0
    with (tmp_path / "libbar.so").open("ab") as file:
        file.write(b"\0")
    assert run("verify", "cert.json", folder=tmp_path).returncode == 1
