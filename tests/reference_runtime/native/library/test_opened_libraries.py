"""A stand-in is opened for cuBLAS and cuDNN; another library of NVIDIA's that is not there is noted."""

import ctypes

import pytest

from reference_runtime.bound.errors import NeedsGpu
from reference_runtime.native.elf import reading
from reference_runtime.native.exchange.misuses import LibraryMissingError, note, raise_noted
from reference_runtime.native.library import opened_libraries
from reference_runtime.native.proxies.proxy import Proxy
from tests.support import native_build

SOURCE = """#include <dlfcn.h>
extern "C" void* opened(char const* name) { return dlopen(name, RTLD_LAZY); }
extern "C" int closed(void* library) { return dlclose(library); }
extern "C" int called(void* library, char const* name, void* argument) {
    auto const function = reinterpret_cast<int (*)(void*)>(dlsym(library, name));
    return function == nullptr ? -1 : function(argument);
}
"""


@pytest.fixture
def library(tmp_path):
    """Return a loaded library that opens others."""
    source = tmp_path / "opener.cpp"
    source.write_text(SOURCE)
    file = native_build.library(source)
    loaded = ctypes.CDLL(str(file))
    loaded.opened.restype = ctypes.c_void_p
    loaded.called.argtypes, loaded.closed.argtypes = (
        [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
        [ctypes.c_void_p],
    )
    opened_libraries.watch(reading.read(file))
    return loaded


def test_handles_are_made_by_libraries_that_are_opened_and_what_computes_needs_a_gpu(library):
    dnn, blas = library.opened(b"libcudnn.so.9"), library.opened(b"/usr/lib/libcublas.so.13")
    handle = ctypes.c_uint64()
    assert library.called(dnn, b"cudnnCreate", ctypes.addressof(handle)) == 0
    assert library.called(dnn, b"cudnnDestroy", handle.value) == 0
    raise_noted()
    assert library.called(blas, b"cublasSgemm_v2", None) == 0
    with pytest.raises(NeedsGpu, match="cublasSgemm_v2, which the library calls, needs a GPU"):
        raise_noted()
    assert library.called(library.opened(b"libm.so.6"), b"cublasSgemm_v2", None) == -1
    assert library.closed(dnn) == library.closed(blas) == 0


def test_what_is_missing_of_nvidia_is_noted(library):
    assert library.opened(b"libnobodys.so.1") is None
    raise_noted()
    assert library.opened(b"libm.so.6")
    raise_noted()
    assert library.opened(b"libnvrtc.so.99") is None
    with pytest.raises(LibraryMissingError, match=r"libnvrtc\.so\.99, which the plugin opens"):
        raise_noted()


class Objects:
    """Counts calls; each finds that a library is missing."""

    def __init__(self):
        self.abi, self.calls = self, 0

    def functions(self, *_):
        return {"initialize": self.call}

    def call(self, *_):
        self.calls += 1
        note(LibraryMissingError("libcudnn.so.9"))

    def forget(self, _this):
        pass


def test_an_object_that_lacks_a_library_is_not_called_again():
    proxy = Proxy()
    proxy.begin(Objects(), 1, "IPluginV2")
    for _ in range(2):
        with pytest.raises(LibraryMissingError):
            proxy.call("initialize")
    proxy.end("destroy")
    assert proxy.objects.calls == 1
