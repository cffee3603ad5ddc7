from __future__ import annotations

import tempfile

import pytest

from reference_runtime.application.byte_streams import IStreamReader, IStreamReaderV2
from reference_runtime.engine.runtime import Runtime
from reference_runtime.registry.registry import get_plugin_registry
from reference_runtime.values.enums_building import TempfileControlFlag
from tests.support.runtime.recording import shop


@pytest.fixture
def made():
    with shop() as made:
        made.profile()
        yield made


class Reader(IStreamReader):
    def __init__(self, data):
        super().__init__()
        self.data, self.asked = data, []

    def read(self, size):
        self.asked.append(size)
        piece, self.data = self.data[:size], self.data[size:]
        return piece


class ReaderV2(IStreamReaderV2):
    """Gives no more than 100 bytes at once."""

    def __init__(self, data):
        super().__init__()
        self.data = data

    def read(self, num_bytes, _stream):
        size = min(num_bytes, 100)
        piece, self.data = self.data[:size], self.data[size:]
        return piece

    def seek(self, _offset, _where):
        return True


@pytest.mark.parametrize("kind", [Reader, ReaderV2])
def test_an_engine_can_be_read_in_pieces(made, kind):
    data = made.build(made.network())
    reader = kind(data + b"what follows")
    engine = made.runtime.deserialize_cuda_engine(reader)
    assert bytes(engine.serialize()) == data
    assert reader.data == b"what follows", "no more is read than the engine has"


@pytest.mark.parametrize("cut", [0, 10, 30, -1])
def test_a_reader_that_ends_too_early_gives_no_engine(made, cut):
    assert made.runtime.deserialize_cuda_engine(Reader(made.build(made.network())[:cut])) is None
    assert "bytes were to come" in made.log.errors[0]


def test_a_reader_of_something_else_is_asked_for_no_more_than_a_header(made):
    reader = Reader(b"x" * 10_000)
    assert made.runtime.deserialize_cuda_engine(reader) is None
    assert len(reader.asked) == 1
    assert "do not begin as a plan" in made.log.errors[0]


def test_a_runtime_has_settings(made):
    runtime = made.runtime
    assert (runtime.max_threads, runtime.DLA_core, runtime.num_DLA_cores) == (1, 0, 0)
    assert not runtime.engine_host_code_allowed
    assert runtime.error_recorder is None
    runtime.max_threads, runtime.engine_host_code_allowed = 4, True
    runtime.tempfile_control_flags = 1 << int(TempfileControlFlag.ALLOW_TEMPORARY_FILES)
    assert (runtime.max_threads, runtime.engine_host_code_allowed, runtime.tempfile_control_flags) == (4, True, 2)
    assert runtime.logger is made.log


def test_settings_that_cannot_be_are_refused_and_change_nothing(made):
    runtime = made.runtime
    runtime.max_threads, runtime.DLA_core, runtime.tempfile_control_flags = 0, 1, 1 << 7
    runtime.temporary_directory = "/no/such/place"
    assert (runtime.max_threads, runtime.DLA_core, runtime.tempfile_control_flags) == (1, 0, 3)
    assert [line.partition(":")[0] for line in made.log.errors] == ["IRuntime"] * 4


def test_temporary_files_have_a_directory(made, tmp_path):
    assert made.runtime.temporary_directory == tempfile.gettempdir()
    made.runtime.temporary_directory = str(tmp_path)
    assert made.runtime.temporary_directory == str(tmp_path)
    made.runtime.temporary_directory = None
    assert made.runtime.temporary_directory == tempfile.gettempdir()


def test_the_allocator_can_be_set_and_not_read(made):
    made.runtime.gpu_allocator = None
    with pytest.raises(AttributeError):
        _ = made.runtime.gpu_allocator
    with pytest.raises(TypeError):
        made.runtime.gpu_allocator = 3


def test_a_runtime_can_be_loaded_from_a_file(made, tmp_path):
    assert made.runtime.load_runtime(str(tmp_path / "missing.so")) is None
    assert "is no file that a runtime could be loaded from" in made.log.errors[0]
    library = tmp_path / "lean.so"
    library.write_bytes(b"")
    loaded = made.runtime.load_runtime(str(library))
    assert isinstance(loaded, Runtime)
    assert loaded.deserialize_cuda_engine(made.build(made.network())).num_layers == 1


def test_a_runtime_has_a_registry_of_its_own_below_that_of_the_process(made):
    runtime, other = Runtime(made.log), Runtime(made.log)
    registry = runtime.get_plugin_registry()
    assert registry is runtime.get_plugin_registry()
    assert registry is not other.get_plugin_registry()
    assert registry.all_creators == []
    found = get_plugin_registry().get_creator("Recorder", "1")
    assert registry.get_creator("Recorder", "1") is found
    data = made.build(made.network())
    registry.parent_search_enabled = False
    assert runtime.deserialize_cuda_engine(data) is None
    assert "Cannot find plugin: Recorder" in made.log.errors[-1]
    assert other.deserialize_cuda_engine(data) is not None
    get_plugin_registry().deregister_creator(found)
    assert registry.register_creator(found, "")
    assert get_plugin_registry().get_creator("Recorder", "1") is None
    assert runtime.deserialize_cuda_engine(data) is not None
    assert other.deserialize_cuda_engine(data) is None
