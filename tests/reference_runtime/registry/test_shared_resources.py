import threading

import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from reference_runtime.calling.gate.gate import Gate, watching
from reference_runtime.registry.registry import PluginRegistry, resource_users
from tests.reference_runtime.registry.test_error_sink import Recorder

NOT_OVERRIDDEN = (
    "Method: clone was not overriden. Please provide an implementation for this method.\n"
    "[ERROR] Exception caught in clone(): RuntimeError: no implementation provided for clone()\n"
)


class Shared(trt.IPluginResource):
    """A resource that writes down what TensorRT does to it."""

    def __init__(self, log, serial=0):
        super().__init__()
        self.log, self.serial = log, serial

    def clone(self):
        self.log.append(("clone", self.serial))
        return Shared(self.log, len(self.log))

    def release(self):
        self.log.append(("release", self.serial))
        return 0


@pytest.fixture
def registry():
    made = PluginRegistry()
    made.error_recorder = Recorder()
    return made


def told(registry):
    return [text for _code, text in registry.error_recorder.told]


def test_the_first_that_is_offered_is_cloned_once_and_shared(registry):
    log = []
    offered = Shared(log)
    first = registry.acquire_plugin_resource("k", offered)
    assert first is not offered
    assert registry.acquire_plugin_resource(key="k", resource=Shared(log, 9)) is first
    assert log == [("clone", 0)]
    assert resource_users(registry, "k") == 2


def test_each_key_has_its_own(registry):
    log = []
    resources = [registry.acquire_plugin_resource(key, Shared(log)) for key in ("", "a", "b")]
    assert len({id(resource) for resource in resources}) == 3


def test_the_last_release_releases_the_clone_and_reports_failure_all_the_same(registry):
    log = []
    for _ in range(2):
        clone = registry.acquire_plugin_resource("k", Shared(log))
    assert registry.release_plugin_resource("k") == 0
    assert log == [("clone", 0)]
    assert registry.release_plugin_resource("k") == 1
    assert log == [("clone", 0), ("release", clone.serial)]
    assert told(registry) == ["Error Code: 4: Resource registered under key: k returned error code -1"]
    assert resource_users(registry, "k") == 0


def test_after_the_last_release_a_key_is_free_again(registry):
    log = []
    first = registry.acquire_plugin_resource("k", Shared(log))
    registry.release_plugin_resource("k")
    second = registry.acquire_plugin_resource("k", Shared(log))
    assert second is not first
    assert resource_users(registry, "k") == 1


def test_a_resource_after_its_last_release_is_where_the_original_crashes(registry):
    clone = registry.acquire_plugin_resource("k", Shared([]))
    registry.release_plugin_resource("k")
    with pytest.raises(NativeCrash, match="'k' was used after its last release"):
        _ = clone.interface_info


@pytest.mark.parametrize("key", ["k", "", None])
def test_releasing_what_nobody_acquired_is_refused(registry, key):
    assert registry.release_plugin_resource(key) == 1
    expected = "(key) != nullptr" if key is None else f"There is no resource registered under key: {key}"
    assert expected in told(registry)[0]
    assert told(registry)[0].startswith("IPluginRegistry::releasePluginResource: Error Code 3: API Usage Error (")


@pytest.mark.parametrize(("key", "offered", "what"), [(None, True, "key"), ("k", False, "resource")])
def test_acquiring_needs_a_key_and_a_resource(registry, key, offered, what):
    assert registry.acquire_plugin_resource(key, Shared([]) if offered else None) is None
    where = "IPluginRegistry::acquirePluginResource: Error Code 3: API Usage Error"
    assert told(registry) == [f"{where} (Parameter check failed, condition: ({what}) != nullptr. )"]


def test_a_clone_that_fails_spoils_its_key_for_ever(registry):
    log = []
    failing = type("Failing", (trt.IPluginResource,), {"clone": lambda _: None})()
    assert registry.acquire_plugin_resource("k", failing) is None
    assert registry.acquire_plugin_resource("k", Shared(log)) is None
    assert log == []
    assert [registry.release_plugin_resource("k") for _ in range(3)] == [0, 1, 1]
    assert told(registry) == [
        "IPluginRegistry::releasePluginResource: Error Code 2: Internal Error "
        f"(Assertion resIterator->second.{condition} failed. )"
        for condition in ("resource != nullptr", "refCount > 0")
    ]


@pytest.mark.parametrize(
    ("members", "text"),
    [
        (
            {},
            NOT_OVERRIDDEN,
        ),
        (
            {"clone": lambda _: "x"},
            "[ERROR] Return value of clone() could not be interpreted as nvinfer1::IPluginResource\n",
        ),
    ],
)
def test_what_goes_wrong_in_a_clone_is_told_and_recorded(registry, members, text, capfd):
    gate = Gate()
    with watching(gate):
        resource = type("Failing", (trt.IPluginResource,), members)()
        assert registry.acquire_plugin_resource("k", resource) is None
    assert capfd.readouterr().err == text
    assert [failure.method for failure in gate.failures] == ["clone"]


@pytest.mark.parametrize(
    "call",
    [
        lambda registry: registry.acquire_plugin_resource("other", Shared([])),
        lambda registry: registry.get_creator("P", "1"),
        lambda registry: registry.release_plugin_resource("other"),
    ],
)
def test_calling_the_registry_from_a_clone_is_where_the_original_hangs(registry, call):
    class Nested(trt.IPluginResource):
        def clone(self):
            call(registry)
            return Nested()

    with pytest.raises(NativeCrash, match="wait here for ever"):
        registry.acquire_plugin_resource("k", Nested())


def test_calling_the_registry_from_a_release_is_fine(registry):
    log = []

    class Chained(Shared):
        def clone(self):
            return Chained(self.log)

        def release(self):
            self.log.append(registry.release_plugin_resource("other"))

    registry.acquire_plugin_resource("other", Shared([]))
    registry.acquire_plugin_resource("k", Chained(log))
    registry.release_plugin_resource("k")
    assert log == [1]


def test_many_threads_share_one_clone(registry):
    log, got = [], []
    threads = [
        threading.Thread(target=lambda: got.append(registry.acquire_plugin_resource("k", Shared(log))))
        for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert log == [("clone", 0)]
    assert len({id(resource) for resource in got}) == 1
    assert resource_users(registry, "k") == 16


@pytest.mark.parametrize("wrong", [5, trt.IPluginV3(), Shared])
def test_only_resources_can_be_shared(registry, wrong):
    with pytest.raises(TypeError, match=r"acquire_plugin_resource\(\): incompatible function arguments"):
        registry.acquire_plugin_resource("k", wrong)
