import _ctypes
import ctypes

import pytest

from reference_runtime.bound.errors import NativeCrash
from reference_runtime.registry.registry import PluginRegistry
from tests.reference_runtime.registry.test_error_sink import Recorder
from tests.reference_runtime.registry.test_shared_resources import told

NULL_TEXT = "Unexpected exception basic_string::_M_construct null not valid"


@pytest.fixture
def registry():
    made = PluginRegistry()
    made.error_recorder = Recorder()
    return made


def capsule(address):
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(address, None, None)


def test_a_library_that_is_not_there_is_refused_in_the_words_of_the_loader(registry, tmp_path):
    path = str(tmp_path / "libnone.so")
    assert registry.load_library(plugin_path=path) is None
    (text,) = told(registry)
    start = f"IPluginRegistry::loadLibrary: Error Code 6: API Usage Error (Unable to load library: {path}: "
    assert text.startswith(start)
    assert registry.error_recorder.told[0][0] == "FAILED_INITIALIZATION"


def test_a_library_without_plugins_is_refused(registry):
    assert registry.load_library(_ctypes.__file__) is None
    (text,) = told(registry)
    assert text.startswith(
        "IPluginRegistry::loadLibrary: Error Code 3: API Usage Error (SymbolAddress for getCreators could not be loaded"
    )


def test_a_library_with_plugins_is_refused_with_the_reason(registry, monkeypatch):
    class Library(ctypes.CDLL):
        getCreators = None  # noqa: N815 - the name that TensorRT looks up

    monkeypatch.setattr(ctypes, "CDLL", Library)
    assert registry.load_library(_ctypes.__file__) is None
    assert registry.error_recorder.told[0][0] == "FAILED_INITIALIZATION"


def test_no_path_is_refused(registry):
    assert registry.load_library(None) is None
    assert registry.error_recorder.told == [("UNSPECIFIED_ERROR", NULL_TEXT)]


@pytest.mark.parametrize("wrong", [5, ["x"], object()])
def test_a_path_is_a_string(registry, wrong):
    with pytest.raises(TypeError, match=r"load_library\(\): incompatible function arguments"):
        registry.load_library(wrong)


def test_no_handle_is_refused(registry):
    assert registry.deregister_library(handle=None) is None
    assert told(registry)[0].startswith("IPluginRegistry::deregisterLibrary: Error Code 3: API Usage Error (Parameter")


def test_a_handle_that_is_none_of_its_own_is_where_the_original_crashes(registry):
    with pytest.raises(NativeCrash, match="0x10"):
        registry.deregister_library(capsule(16))


@pytest.mark.parametrize("wrong", [5, "x"])
def test_a_handle_is_a_capsule(registry, wrong):
    with pytest.raises(TypeError, match=r"deregister_library\(\): incompatible function arguments"):
        registry.deregister_library(wrong)
