"""Certifying plugins as an ONNX model uses them: what a user types, what a child answers, and what comes of it."""

import contextlib
import sys
import textwrap
from pathlib import Path

import pytest

from harness.controller.children.isolation import ProcessIsolation
from harness.protocol.messages import ChildSettings, Request
from tests.support.runtime.onnx_models import model, node, two_plugins

pytest_plugins = ["pytester"]

HOME = Path(__file__).parents[3]
PLUGINS = "plugin_examples.models.plugins"
WRONG = """
    from plugin_examples import circ_pad
    from plugin_examples.circ_pad_cases import PLUGIN_CASES as CASES

    PLUGIN_CASES = [{**CASES[0], "reference": lambda x, *, fields: 1 + CASES[0]["reference"](x, fields=fields)}]
"""


@pytest.fixture
def certify(certify_as_a_user, pytester):
    """Run pytest as a user would, with the model at hand."""
    (pytester.path / "model.onnx").write_bytes(two_plugins.model().SerializeToString())
    return certify_as_a_user


@pytest.fixture
def child(tmp_path):
    """A child that was given a model, for what it says of it and judges with it."""
    with contextlib.ExitStack() as open_children:

        def start(module, one, *dims, files=None):
            path = tmp_path / "model.onnx"
            path.write_bytes(one if isinstance(one, bytes) else one.SerializeToString())
            for name, text in (files or {}).items():
                (tmp_path / name).write_text(textwrap.dedent(text))
            folders = (str(tmp_path), str(HOME), *sys.path)
            settings = ChildSettings(module=module, path=folders, onnx=(str(path),), onnx_dims=dims)
            started = open_children.enter_context(contextlib.closing(ProcessIsolation(settings)))
            assert started.load().ok
            return started

        yield start


def problem(started):
    found = started.discover()
    assert found["plugins"] == []
    (only,) = found["problems"]
    return only["kind"], only["text"]


def answer(started, rule):
    (plugin,) = started.discover()["plugins"]
    (case,) = plugin["cases"]
    return started.ask(Request(rule, plugin["key"], case["name"], inferred=case["plain"]))


def padding(*pads):
    return model([node("CircPad", "x", "y", "only", pads=list(pads))], {"x": ["n", 4]}, {"y": ["n", None]})


def test_each_node_is_a_case_and_the_modules_oracles_judge_results(certify):
    few = "--plugin-select=ID-001,ENQ-010,CRE-002"
    result, report = certify(f"--plugin-module={PLUGINS}", "--plugin-onnx=model.onnx", few)
    assert result.ret == 0
    found = {
        (plugin["key"], plugin["case"]): {rule["id"]: rule["verdict"] for rule in plugin["rules"]}
        for plugin in report["plugins"]
    }
    assert set(found) == {("/CircPad/1", "pad"), ("/Polynomial/1", "bend")}
    assert {rules["ENQ-010"] for rules in found.values()} == {"PASS"}
    assert [Path(each).name for each in report["options"]["onnx"]] == ["model.onnx"]


def test_a_model_that_cannot_be_certified_is_one_line_and_a_usage_error(certify):
    result, _ = certify("--plugin-module=plugin_examples.circ_pad", "--plugin-onnx=model.onnx")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in result.errlines if line.startswith("ERROR: ")]
    assert "node '/bend' needs the plugin Polynomial" in line


def test_a_wrong_result_fails_as_the_model_uses_the_plugin(child):
    assert not answer(child("plugin_examples.circ_pad", padding(1, 0), "n=1:3"), "ENQ-010").fails
    wrong = child("wrong", padding(1, 0), "n=1:3", files={"wrong.py": WRONG})
    assert answer(wrong, "ENQ-010").fails


@pytest.mark.parametrize(
    ("module", "one", "kind", "told"),
    [
        (PLUGINS, b"no model", "usage", "it is no ONNX model, or a damaged one"),
        (PLUGINS, padding(1, 0), "usage", "no dynamic dimension 'm' in the model, but n"),
        ("plugin_examples.circ_pad", padding(1, -1), "fail", "does not take what the model gives it"),
    ],
)
def test_what_is_wrong_with_a_model_is_said_by_the_child(child, module, one, kind, told):
    found = problem(child(module, one, "m=1"))
    assert found[0] == kind
    assert told in found[1]


def test_a_plugin_of_another_module_is_named(child):
    other = """
        from plugin_examples import circ_pad
        from plugin_examples.faulty.bases.sound_scale import Scale, publish

        class Mine(Scale):
            pass

        publish(Mine)
    """
    kind, told = problem(child("mine", padding(1, 0), files={"mine.py": other}))
    assert kind == "usage"
    assert "the model uses /CircPad/1, which is registered and is no plugin of mine" in told


def test_without_onnx_it_says_what_to_install(child):
    missing = {"onnx.py": "raise ModuleNotFoundError('No module named onnx', name='onnx')"}
    kind, told = problem(child(PLUGINS, padding(1, 0), files=missing))
    assert kind == "usage"
    assert told.endswith("which is not installed: pip install onnx polygraphy")


def test_a_decorated_plugin_is_made_by_the_parser_too(child):
    decorated = """
        import tensorrt.plugin as trtp

        @trtp.register("my::shift")
        def shift(x: trtp.TensorDesc, by: int) -> trtp.TensorDesc:
            return x.like()

        @trtp.impl("my::shift")
        def shift_run(x: trtp.Tensor, by: int, outputs: tuple[trtp.Tensor], stream: int):
            pass
    """
    one = model([node("shift", "x", "y", "only", plugin_namespace="my", by=3)], {"x": [4]}, {"y": [4]})
    (found,) = child("mine", one, files={"mine.py": decorated}).discover()["plugins"]
    assert (found["key"], [case["name"] for case in found["cases"]]) == ("my/shift/1", ["only"])
    (case,) = found["cases"]
    assert set(case["plain"]["fields"]) == {"by"}


def test_applications_of_the_module_do_not_take_the_models_place(child):
    listing = """
        from plugin_examples import circ_pad

        def main():
            pass

        PLUGIN_APPS = [main]
    """
    found = child("mine", padding(1, 0), files={"mine.py": listing}).discover()
    assert [plugin["key"] for plugin in found["plugins"]] == ["/CircPad/1"]
