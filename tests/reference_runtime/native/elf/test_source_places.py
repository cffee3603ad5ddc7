"""Where member functions of a library are written."""

import pytest

from reference_runtime.native.elf import reading
from reference_runtime.native.elf.source_places import source_places
from tests.support import native_build

CODE = """\
namespace nvinfer1 { struct IOwn { virtual int enqueue() { return 1; } virtual ~IOwn() = default; }; }
namespace {
struct First : nvinfer1::IOwn {
    int enqueue() override { return 2; }
};
}
namespace outer { template <typename T> struct Second : nvinfer1::IOwn {
    int enqueue() override {
        return sizeof(T);
    }
}; }
int free_function(int (*given)()) { return given(); }
extern "C" nvinfer1::IOwn* make(int which) {
    if (which == 0) return new nvinfer1::IOwn;
    return which == 1 ? static_cast<nvinfer1::IOwn*>(new First) : new outer::Second<int>;
}
"""


def places(tmp_path, *flags):
    source = tmp_path / "members.cpp"
    source.write_text(CODE)
    return source_places(reading.read(native_build.library(source, *flags)))


def test_members_have_the_line_that_they_begin_at(tmp_path):
    found = places(tmp_path)
    lines = {member: line for member, (file, line) in found.items() if file.endswith("/members.cpp")}
    assert lines["(anonymous namespace)::First", "enqueue"] == 4
    assert lines["outer::Second<int>", "enqueue"] == 8


def test_free_functions_and_the_interfaces_of_tensorrt_have_none(tmp_path):
    found = places(tmp_path)
    assert not {name for _, name in found} & {"free_function", "make"}
    assert "nvinfer1::IOwn" not in {cls for cls, _ in found}


@pytest.mark.parametrize("flag", ["-g0", "-s"], ids=["no debug information", "stripped"])
def test_without_lines_or_names_there_is_none(tmp_path, flag):
    assert places(tmp_path, flag) == {}
