import gc

import pytest

import reference_runtime as trt
from reference_runtime.registry.registry import PluginRegistry, find_creator, log_through
from tests.reference_runtime.registry.test_registry import Creator, name_it


class Recorder(trt.IErrorRecorder):
    def __init__(self):
        super().__init__()
        self.told = []

    def report_error(self, code, text):
        self.told.append((code.name, text))
        return True


class Listening(trt.ILogger):
    def __init__(self):
        super().__init__()
        self.heard = []

    def log(self, severity, message):
        self.heard.append((severity, message))


@pytest.fixture
def registry():
    return PluginRegistry()


@pytest.mark.parametrize(
    ("refuse", "code", "text"),
    [
        (
            lambda registry: registry.get_creator("Q", "2", "ns"),
            "INVALID_CONFIG",
            "getCreator: Error Code 4: API Usage Error (Cannot find plugin: Q, version: 2, namespace:ns.)",
        ),
        (
            lambda registry: registry.get_plugin_creator("Q", "2"),
            "INVALID_CONFIG",
            "getPluginCreator: Error Code 4: API Usage Error (Cannot find plugin: Q, version: 2, namespace:.)",
        ),
        (
            lambda registry: registry.deregister_creator(Creator("Q")),
            "INVALID_CONFIG",
            "deregisterCreator: Error Code 4: API Usage Error (Cannot find plugin: Q, version: 1, namespace:.)",
        ),
        (
            lambda registry: registry.deregister_creator(name_it(trt.IPluginCreatorV3One(), "Q")),
            "INVALID_CONFIG",
            "deregisterCreator: Error Code 4: API Usage Error (Plugin creator Q does not exist.)",
        ),
    ],
)
def test_what_is_refused_is_told_to_the_recorder(registry, refuse, code, text):
    registry.error_recorder = Recorder()
    refuse(registry)
    assert registry.error_recorder.told == [(code, f"IPluginRegistry::{text}")]


def test_a_nameless_creator_is_an_unexpected_exception(registry):
    registry.error_recorder = Recorder()
    registry.register_creator(Creator(None))
    assert registry.error_recorder.told == [
        ("UNSPECIFIED_ERROR", "Unexpected exception basic_string::_M_construct null not valid")
    ]


def test_a_duplicate_and_a_stranger_with_the_same_names_are_refused_without_a_word(registry):
    registry.error_recorder = Recorder()
    registry.register_creator(Creator())
    registry.register_creator(Creator())
    registry.deregister_creator(Creator())
    assert registry.error_recorder.told == []


def test_without_a_recorder_the_first_living_logger_hears_of_it(registry):
    first, second = Listening(), Listening()
    log_through(first, registry)
    log_through(second, registry)
    registry.get_creator("Q", "1")
    assert ([severity.name for severity, _ in first.heard], second.heard) == (["ERROR"], [])
    del first
    gc.collect()
    registry.get_creator("Q", "1")
    log_through(second, registry)
    registry.get_creator("Q", "1")
    assert len(second.heard) == 1


def test_a_recorder_is_heard_instead_of_the_logger(registry):
    logger = Listening()
    log_through(logger, registry)
    registry.error_recorder = Recorder()
    registry.get_creator("Q", "1")
    registry.error_recorder = None
    assert logger.heard == []


def test_the_runtimes_own_search_complains_to_nobody(registry):
    registry.error_recorder = Recorder()
    assert find_creator(registry, ("Q", "1", "")) is None
    assert registry.error_recorder.told == []


def test_a_newer_creator_that_an_older_lookup_finds_is_told(registry):
    registry.error_recorder = Recorder()
    registry.register_creator(name_it(trt.IPluginCreatorV3One()))
    registry.get_plugin_creator("P", "1")
    ((code, text),) = registry.error_recorder.told
    assert code == "INVALID_CONFIG"
    assert text == (
        "IPluginRegistry::getPluginCreator: Error Code 4: API Usage Error (Plugin creator with matching type, "
        "namespace and version found, but it is not of type IPluginCreator.)"
    )


def test_a_recorder_is_kept_and_taken_away(registry):
    recorder = Recorder()
    assert registry.error_recorder is None
    registry.error_recorder = recorder
    assert registry.error_recorder is recorder
    with pytest.raises(TypeError, match="incompatible function arguments"):
        registry.error_recorder = 5
    registry.error_recorder = None
    assert registry.error_recorder is None


def test_builders_runtimes_and_init_libnvinfer_plugins_give_the_global_registry_their_logger(monkeypatch):
    given = []

    def note(logger, registry=None):
        given.append((logger, registry))

    for module in (
        "reference_runtime.builder.builder",
        "reference_runtime.engine.runtime",
        "reference_runtime.registry.registry",
    ):
        monkeypatch.setattr(f"{module}.log_through", note)
    loggers = [trt.Logger(), trt.Logger(), trt.Logger()]
    builder, runtime = trt.Builder(loggers[0]), trt.Runtime(loggers[1])
    trt.init_libnvinfer_plugins(loggers[2], "")
    assert [logger for logger, registry in given if registry is None] == loggers
    own = [(loggers[0], builder.get_plugin_registry()), (loggers[1], runtime.get_plugin_registry())]
    assert [one for one in given if one[1] is not None] == own
