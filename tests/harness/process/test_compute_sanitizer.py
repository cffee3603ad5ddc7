"""compute-sanitizer is found on PATH, or where CUDA is."""

import pathlib

import pytest

from harness.contract.sanitizer_tool import Tool
from harness.process import compute_sanitizer


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setattr(compute_sanitizer, "_USUAL_HOME", str(tmp_path / "cuda"))
    return tmp_path


def installed(folder):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "compute-sanitizer"
    file.touch(0o755)
    return str(file)


@pytest.mark.usefixtures("nowhere")
def test_it_may_be_nowhere():
    assert compute_sanitizer.program_path() is None


def test_it_is_found_on_path_first(nowhere, monkeypatch):
    monkeypatch.setenv("CUDA_HOME", str(nowhere / "home"))
    of_cuda = installed(nowhere / "home" / "bin")
    assert compute_sanitizer.program_path() == of_cuda
    assert compute_sanitizer.program_path() != installed(nowhere)
    assert compute_sanitizer.program_path() == str(nowhere / "compute-sanitizer")


def test_it_is_found_in_the_usual_folder(nowhere):
    expected = installed(nowhere / "cuda" / "bin")
    assert compute_sanitizer.program_path() == expected


@pytest.mark.parametrize("tool", Tool)
def test_a_tool_is_asked_for_a_report_and_lets_the_process_go_on(tool):
    told = compute_sanitizer.arguments(tool, pathlib.Path("r.xml"), pathlib.Path("log"))
    assert told[:6] == ["--tool", tool.value, "--xml", "--save", "r.xml", "--log-file"]
    assert "kernel" in told
    assert ("--padding" in told) == (tool is Tool.MEMCHECK)
