"""Resources that plugins share: acquired and released by key, counted, cloned and released as measured."""

import tensorrt as trt


class _Resource(trt.IPluginResource):
    def __init__(self, told, name="first"):
        super().__init__()
        self.told, self.name = told, name

    def clone(self):
        self.told.append(f"{self.name}.clone")
        return _Resource(self.told, f"clone of {self.name}")

    def release(self):
        self.told.append(f"{self.name}.release")


def acquire_once():
    told, registry = [], trt.get_plugin_registry()
    given = _Resource(told)
    got = registry.acquire_plugin_resource("key", given)
    return [got is given, type(got).__name__, got.name, told]


def acquire_twice_is_the_same():
    told, registry = [], trt.get_plugin_registry()
    first = registry.acquire_plugin_resource("key", _Resource(told))
    second = registry.acquire_plugin_resource("key", _Resource(told, "second"))
    return [first is second, first.name, told]


def another_key_is_another():
    told, registry = [], trt.get_plugin_registry()
    first = registry.acquire_plugin_resource("one", _Resource(told))
    second = registry.acquire_plugin_resource("two", _Resource(told, "second"))
    return [first is second, first.name, second.name, told]


def released_when_the_last_lets_go():
    told, registry = [], trt.get_plugin_registry()
    for _ in range(3):
        registry.acquire_plugin_resource("key", _Resource(told))
    return [(registry.release_plugin_resource("key"), list(told)) for _ in range(4)]


def released_without_being_acquired():
    return trt.get_plugin_registry().release_plugin_resource("no such key")


def acquired_again_after_release():
    told, registry = [], trt.get_plugin_registry()
    registry.acquire_plugin_resource("key", _Resource(told))
    registry.release_plugin_resource("key")
    again = registry.acquire_plugin_resource("key", _Resource(told, "second"))
    return [again.name, told]


def a_resource_without_methods():
    class Bare(trt.IPluginResource):
        pass

    return trt.get_plugin_registry().acquire_plugin_resource("key", Bare())


def a_clone_that_raises():
    class Raising(trt.IPluginResource):
        def clone(self):
            raise ValueError("no clone")

        def release(self):
            pass

    return trt.get_plugin_registry().acquire_plugin_resource("key", Raising())


def a_clone_that_answers_none():
    class Nothing(_Resource):
        def clone(self):
            return None

    return trt.get_plugin_registry().acquire_plugin_resource("key", Nothing([]))


def a_release_that_raises():
    class Raising(_Resource):
        def clone(self):
            return Raising(self.told, "clone")

        def release(self):
            raise ValueError("no release")

    registry = trt.get_plugin_registry()
    registry.acquire_plugin_resource("key", Raising([]))
    return registry.release_plugin_resource("key")


def what_is_no_resource():
    return trt.get_plugin_registry().acquire_plugin_resource("key", 5)


def an_empty_key():
    told, registry = [], trt.get_plugin_registry()
    return [registry.acquire_plugin_resource("", _Resource(told)).name, registry.release_plugin_resource(""), told]


def no_resource():
    told, registry = [], trt.get_plugin_registry()
    registry.acquire_plugin_resource("key", _Resource(told))
    return registry.acquire_plugin_resource("key", None)
