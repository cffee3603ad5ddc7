"""``trt-conformance inspect`` says what is in a library, and in one line why it cannot."""

import json
import shutil

import pytest

from harness.contract.verdict import Verdict
from harness.frontends.cli.main import main
from tests.support import native_build
from tests.support.verdicts import results_of


def test_what_is_in_a_library_is_told(capsys):
    library = native_build.library(native_build.EXAMPLES / "leaky_relu.cpp", "-Wl,-z,now", "-fstack-protector-all")
    assert main(["inspect", str(library), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (creator,) = found["creators"]
    assert (creator["name"], creator["version"], creator["plugins"]) == ("LeakyRelu", "2", "IPluginV3")
    assert creator["fields"] == [{"name": "negative_slope", "type": "FLOAT32"}]
    assert found["loaders"] == ["getCreators", "setLoggerFinder"]
    assert found["hardening"]["relro"] == "full"
    assert found["hardening"]["stack_protector"]
    assert found["hardening"]["debug_information"]
    assert len(found["sha256"]) == 64


INITIALISER = """
extern "C" bool initLibBarPlugins(void* logger, char const* name) {
    static BarCreator creator;
    static_cast<ILogger*>(logger)->log(ILogger::Severity::kINFO, "registering");
    return getPluginRegistry()->registerCreator(creator, name);
}
"""


def test_a_function_that_registers_the_creators_is_called_and_named(tmp_path, capsys):
    source, text = tmp_path / "bar.cpp", (native_build.EXAMPLES / "bar.cpp").read_text()
    registers = "REGISTER_TENSORRT_PLUGIN(BarCreator);\n"
    assert registers in text
    source.write_text(text.replace(registers, "") + INITIALISER)
    library = native_build.library(source)
    assert main(["inspect", str(library), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["loaders"] == ["initLibBarPlugins"]
    assert [creator["name"] for creator in found["creators"]] == ["Bar"]
    shutil.copy(native_build.EXAMPLES / "bar_cases.py", library.parent / f"{library.stem}_cases.py")
    results = results_of(str(library), rules=["ID-001"])
    assert {each.verdict for case in results.values() for each in case} == {Verdict.PASS}


@pytest.mark.nightly
def test_the_text_names_creator_level_and_calls(capsys):
    library = native_build.library(native_build.EXAMPLES / "bar.cpp", epoch="8")
    assert main(["inspect", str(library), "--spec=8.6"]) == 0
    shown = capsys.readouterr().out
    assert "/Bar/1 · BarCreator, IPluginCreator of IPluginV2DynamicExt" in shown
    assert "TensorRT   8.6" in shown
    assert "cudaMemcpyAsync" in shown


@pytest.mark.nightly
def test_the_interface_is_found_of_plugins_in_a_namespace_below_that_of_tensorrt(tmp_path, capsys):
    source = tmp_path / "nested.cpp"
    text = (native_build.EXAMPLES / "bar.cpp").read_text()
    source.write_text(text.replace("namespace {", "namespace nvinfer1::plugin {"))
    assert main(["inspect", str(native_build.library(source))]) == 0
    assert "IPluginCreator of IPluginV2DynamicExt" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("int nothing() { return 0; }", 4, "try another API level: 8.6, 10 or 11"),
        ("namespace mine { int one(); }\nint used() { return mine::one(); }", 4, "mine::one()"),
        ("#include <cstdlib>\nstruct Bad { Bad() { std::abort(); } } bad;", 1, "ended its process: SIGABRT"),
    ],
)
def test_a_library_that_is_no_use_is_told_in_one_line(tmp_path, capsys, body, status, said):
    source = tmp_path / "useless.cpp"
    source.write_text(body)
    assert main(["inspect", str(native_build.library(source))]) == status
    assert said in capsys.readouterr().err


def test_a_file_that_is_no_library_or_is_missing_is_told(tmp_path, capsys):
    text = tmp_path / "libtext.so"
    text.write_text("no library")
    assert main(["inspect", str(text)]) == 4
    assert "it is no shared library of a 64-bit Linux" in capsys.readouterr().err
    assert main(["inspect", str(tmp_path / "libnone.so")]) == 4
    assert "No such file" in capsys.readouterr().err
