"""Reports point at the lines of a library's source, or at the library where these are not known."""

import contextlib

from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings
from tests.support import native_build

SOURCE = native_build.EXAMPLES / "leaky_relu.cpp"


def described(library):
    settings = ChildSettings(module=str(library), path=(".",), addresses="host")
    with contextlib.closing(ProcessIsolation(settings)) as child:
        assert child.load().ok
        (plugin,) = child.discover()["plugins"]
    return plugin


def test_callbacks_are_where_their_source_is():
    library = native_build.library(SOURCE)
    plugin = described(library)
    lines = SOURCE.read_text().splitlines()
    wanted = {"create_plugin": " createPlugin(", "enqueue": " enqueue(", "get_output_shapes": " getOutputShapes("}
    for name, text in wanted.items():
        place = plugin["methods"][name]
        assert place["file"].endswith("plugin_examples/native/leaky_relu.cpp")
        assert text in lines[place["line"] - 1]
    assert not any("reference_runtime" in place["file"] for place in plugin["methods"].values())


def test_without_debug_information_the_library_is_named():
    library = native_build.library(SOURCE, "-g0")
    plugin = described(library)
    assert plugin["methods"] == {}
    assert (plugin["file"], plugin["line"]) == (str(library), 0)
