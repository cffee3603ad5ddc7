"""A library that cannot be certified is told in words, and one that is hostile when it is loaded breaks no run."""

import contextlib
import re
import shutil
import subprocess
import sys

import pytest

from harness.contract.verdict import Verdict
from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings
from tests.support import native_build
from tests.support.verdicts import results_of

HEADERS = "#include <csignal>\n#include <cstdlib>\n#include <stdexcept>\n#include <unistd.h>\n"
#: A library of which a part runs while it is loaded.
INITIALISER = HEADERS + "struct Bad { Bad() { BODY } } bad;"


def loading(library, **settings):
    child = ProcessIsolation(ChildSettings(module=str(library), path=(".",), **settings))
    try:
        return child.load()
    finally:
        child.close()


def said_of(library, **settings):
    loaded = loading(library, **settings)
    assert not loaded.ok
    return f"{loaded.answer.mishap.how}\n{loaded.answer.mishap.stack}"


def test_a_library_without_creators_may_be_compiled_for_another_tensorrt():
    """REGISTER_TENSORRT_PLUGIN of TensorRT 10 calls a function that has another place in TensorRT 11's registry."""
    settings = ChildSettings(module=str(native_build.library(native_build.EXAMPLES / "bar.cpp")), spec="11")
    with contextlib.closing(ProcessIsolation(settings)) as child:
        assert child.load().ok
        (problem,) = child.discover()["problems"]
    assert problem["kind"] == "usage"
    assert "try another API level" in problem["text"]


@pytest.fixture
def compiled(tmp_path):
    """Return a library of some lines of C++."""

    def compile_(text, *flags):
        source = tmp_path / "hostile.cpp"
        source.write_text(text)
        return native_build.library(source, *flags)

    return compile_


def test_what_is_no_library_is_told(tmp_path):
    file = tmp_path / "libtext.so"
    file.write_text("no library")
    assert "it is no shared library of a 64-bit Linux" in said_of(file)


@pytest.mark.nightly
def test_all_missing_symbols_are_told_as_written_in_cpp(compiled):
    library = compiled("namespace mine { int one(int); int two(); }\nint used() { return mine::one(1) + mine::two(); }")
    said = said_of(library)
    assert "mine::one(int)" in said
    assert "mine::two()" in said


@pytest.mark.nightly
def test_a_library_of_another_epoch_names_the_level_to_write():
    library = native_build.library(native_build.EXAMPLES / "bar.cpp", epoch="8")
    assert "add --plugin-spec=8.6" in said_of(library)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("*reinterpret_cast<int volatile*>(16) = 1;", "died by SIGSEGV"),
        ("std::exit(3);", "ended the process with exit status 3"),
        ("std::abort();", "died by SIGABRT"),
        ('throw std::runtime_error("no device");', "std::runtime_error: no device"),
        ("raise(SIGKILL);", "died by SIGKILL"),
        ("_exit(0);", "ended the process with exit status 0"),
        ('char name[] = "/bin/true"; char* all[] = {name, nullptr}; execv(name, all);', "ended the process"),
        ("for (int file = 3; file < 4096; ++file) close(file);", "left its process unable to answer"),
    ],
)
def test_a_static_initialiser_that_ends_the_process_is_a_failed_import(compiled, body, said):
    assert said in said_of(compiled(INITIALISER.replace("BODY", body)))


@pytest.mark.parametrize(
    "code",
    [
        INITIALISER.replace("BODY", "if (fork() == 0) for (;;) pause();"),
        pytest.param(INITIALISER.replace("BODY", "fork();"), marks=pytest.mark.nightly),
        INITIALISER.replace("BODY", "for (int file = 0; file < 64; ++file) close(file);"),
        pytest.param(
            INITIALISER.replace("BODY", "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, nullptr);"),
            marks=pytest.mark.nightly,
        ),
        'extern "C" void* malloc(size_t) { return nullptr; }\nextern "C" void free(void*) { std::abort(); }',
    ],
    ids=["a_child_that_stays", "two_of_it", "closed_descriptors", "blocked_signals", "its_own_malloc"],
)
def test_one_that_changes_its_process_is_judged_as_any_other(compiled, code):
    bar = (native_build.EXAMPLES / "bar.cpp").read_text()
    results = results_of(str(compiled(f"{HEADERS}{code}\n{bar}")), rules=["ID-001", "CLN-001"], addresses="host")
    assert {each.verdict for case in results.values() for each in case} == {Verdict.PASS}


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("addr2line") is None, reason="binutils is not installed")
def test_a_crash_says_the_line_of_the_source(compiled):
    library = compiled("struct Bad {\n  Bad() {\n    *reinterpret_cast<int volatile*>(16) = 1;\n  }\n} bad;", "-O0")
    assert re.search(r"Bad::Bad\(\) at \S+/hostile\.cpp:3 in \S+ \+0x", said_of(library))


@pytest.mark.nightly
def test_one_that_hangs_is_ended(compiled):
    library = compiled("struct Bad { Bad() { for (int volatile i = 0;; ++i) {} } } bad;")
    assert "did not return within 5 s" in said_of(library, import_timeout=5.0)


def test_nothing_of_native_plugins_is_loaded_for_others():
    imports = "import sys, harness.child.judge, harness.child.user_module"
    code = f"{imports}; print([name for name in sys.modules if 'native' in name])"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - ours
    assert told.stdout.strip() == "[]"
