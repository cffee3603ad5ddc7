"""OnnxParser and ParserError: what an application sees of reading a model."""

import numpy as np
import pytest

import reference_runtime as trt
from reference_runtime.bound.errors import NativeCrash
from tests.support.runtime.onnx_models import INT64, AttributeProto, creator, helper, model, node
from tests.support.runtime.recording import Log

__all__ = ["creator"]

NOT_FOUND = 'creator && "Plugin not found, are the plugin name, version, and namespace correct?"'
X = {"x": [2, 3]}
Y = {"y": [2, 3]}


class Application:
    """A parser, with what it needs and logs."""

    def __init__(self, flags=0):
        self.log = Log()
        self.builder = trt.Builder(self.log)
        self.network = self.builder.create_network(flags)
        self.parser = trt.OnnxParser(self.network, self.log)

    def parse(self, one, path=None):
        return self.parser.parse(one.SerializeToString(), path)

    @property
    def warnings(self):
        return [text for severity, text in self.log.lines if severity == trt.ILogger.WARNING]

    @property
    def errors(self):
        return [self.parser.get_error(index) for index in range(self.parser.num_errors)]

    @property
    def layers(self):
        return [(layer.name, layer.type.name) for layer in self.network]


@pytest.fixture
def app():
    return Application()


def relu():
    return model([node("Relu", "x", "y", "act")], X, Y)


def test_inputs_nodes_and_outputs_become_a_network(app):
    assert app.parse(relu())
    assert app.layers == [("act", "PLUGIN")]
    assert [app.network.get_input(0).name, app.network.get_output(0).name] == ["x", "y"]
    assert tuple(app.network.get_output(0).shape) == (2, 3)
    assert app.network.get_layer(0).metadata == "[ONNX Layer: act]"


def test_a_network_with_layers_is_not_parsed_into(app):
    assert app.parse(relu())
    assert not app.parse(relu())
    assert "Parse was called with a non-empty network definition" in app.log.errors
    assert app.errors == []


def test_an_unknown_operator_is_the_plugin_of_its_name(app, creator):
    made = creator(advertised=("factor", "other"))
    assert app.parse(model([node("Doubler", "x", "y", "one", factor=[1.0, 2.0], unheard=1)], X, Y))
    assert app.layers == [("one", "PLUGIN_V2")]
    assert made.given == [("one", [("factor", "FLOAT32", np.array([1, 2], np.float32).tobytes())])]
    assert any("Attribute other not found in plugin node!" in text for text in app.warnings)


def test_version_and_namespace_come_from_attributes_or_the_domain(creator):
    for version, namespace, attributes, domain in (
        ("1", "", {}, ""),
        ("7", "", {"plugin_version": "7"}, ""),
        ("1", "ours", {"plugin_namespace": "ours"}, ""),
        ("1", "demo", {}, "demo"),
    ):
        creator(name="Named", version=version, namespace=namespace)
        assert Application().parse(model([node("Named", "x", "y", domain=domain, **attributes)], X, Y)), version


def test_every_missing_plugin_is_an_error_of_its_own(app):
    assert not app.parse(model([node("Nope", "x", "z", "first"), node("Nor", "z", "y", domain="demo")], X, Y))
    assert [str(error) for error in app.errors] == [
        f"In node 0 with name: first and operator: Nope (checkFallbackPluginImporter): INVALID_NODE: {NOT_FOUND}",
        f"In node 1 with name:  and operator: Nor (checkFallbackPluginImporter): INVALID_NODE: {NOT_FOUND}",
    ]
    error = app.errors[0]
    assert (error.code(), error.desc(), error.node()) == (trt.ErrorCode.INVALID_NODE, NOT_FOUND, 0)
    assert (error.node_name(), error.node_operator(), error.func()) == ("first", "Nope", "checkFallbackPluginImporter")
    assert (error.file(), error.line()) == ("onnxOpCheckers.cpp", 0)
    assert (error.local_function_stack(), error.local_function_stack_size()) == ([], 0)
    assert repr(error) == str(error)
    app.parser.clear_errors()
    assert app.parser.num_errors == 0


def test_a_plugin_that_refuses_its_fields_is_an_error_of_the_node(app, creator):
    creator(advertised=("refuse",))
    assert not app.parse(model([node("Doubler", "x", "y", "one", refuse=1)], X, Y))
    (error,) = app.errors
    assert error.desc() == "Assertion failed: plugin: Could not create the plugin."
    assert error.code() == trt.ErrorCode.UNSUPPORTED_NODE


def test_an_error_beside_the_last_is_not_there(app):
    with pytest.raises(NativeCrash, match="with 0 errors"):
        app.parser.get_error(0)


@pytest.mark.parametrize("data", [b"no model", b"\x0a\xff"])
def test_bytes_that_are_no_model_are_told_without_a_node(app, data):
    assert not app.parser.parse(data)
    (error,) = app.errors
    assert error.code() == trt.ErrorCode.MODEL_DESERIALIZE_FAILED
    assert str(error).startswith("(deserializeOnnxModel): MODEL_DESERIALIZE_FAILED: Failed to parse the ONNX model.")


def test_an_operator_that_tensorrt_refuses_is_refused(app):
    assert not app.parse(model([node("Det", "x", "y")], {"x": [2, 2]}, {"y": []}))
    assert str(app.errors[0]) == "In node 0 with name:  and operator: Det (checkDet): UNSUPPORTED_NODE: false"


def test_an_operator_that_this_runtime_does_not_run_says_so(app):
    assert not app.parse(model([node("NonZero", "x", "y")], X, {"y": ([2, None], INT64)}))
    assert "the reference runtime has no layer for NonZero" in app.errors[0].desc()


def test_inputs_that_do_not_go_together_are_an_error_of_the_node(app):
    assert not app.parse(model([node("MatMul", "x x", "y", "square")], X, Y))
    assert app.errors[0].desc().startswith("Invalid Node - square\nsquare: MatMul cannot be applied to [2, 3], [2, 3]")


def test_a_name_that_nobody_gives_is_an_error(app):
    assert not app.parse(model([node("Relu", "missing", "y")], X, Y))
    assert "Node input was not registered." in app.errors[0].desc()
    other = Application()
    assert not other.parse(model([node("Relu", "x", "z")], X, Y))
    assert other.errors[0].desc() == "The output tensor was not registered."


def test_an_input_of_text_is_refused_by_its_name(app):
    assert not app.parse(model([node("Identity", "x", "y")], {"x": ([2], 8)}, {"y": ([2], 8)}))
    assert (app.errors[0].file(), app.errors[0].node()) == ("x", -1)


def test_an_input_that_is_an_output_too_is_copied(app):
    assert app.parse(model([], {"x": [2]}, {"x": [2]}))
    assert app.network.get_input(0).name == "__x"
    assert app.network.get_output(0).name == "x"
    assert app.layers == [("ONNXTRT_identity_x", "IDENTITY")]


def test_an_initializer_can_be_an_output(app):
    assert app.parse(model([], {}, {"w": [2]}, w=np.ones(2, np.float32)))
    assert app.layers == [("w", "CONSTANT")]


def test_an_outputs_type_is_the_models_where_the_builder_may_choose(app, creator):
    creator()
    assert app.parse(model([node("Doubler", "x", "y")], {"x": ([2], 10)}, {"y": ([2], 10)}))
    assert app.network.get_output(0).dtype == trt.DataType.HALF


def test_dimensions_keep_their_names(app):
    assert app.parse(model([node("Relu", "x", "y")], {"x": ["batch", 3]}, {"y": ["batch", 3]}))
    assert [app.network.get_input(0).get_dimension_name(axis) for axis in range(2)] == ["batch", None]


def test_nodes_of_the_same_name_get_layers_of_different_names(app):
    assert app.parse(model([node("Relu", "x", "a", "n"), node("Relu", "a", "y", "n")], X, Y))
    assert app.layers == [("n", "PLUGIN"), ("n_1", "PLUGIN")]


def test_outputs_of_a_node_are_found_by_its_name(app):
    assert app.parse(relu())
    assert app.parser.get_layer_output_tensor("act", 0).name == "y"
    assert app.parser.get_layer_output_tensor("act", 1) is None
    assert app.parser.get_layer_output_tensor("other", 0) is None


def test_a_local_function_is_written_out_and_named_in_errors(app):
    body = [node("Relu", "a", "b"), node("LeakyRelu", "b", "c")]
    body[1].attribute.append(AttributeProto(name="alpha", ref_attr_name="slope", type=AttributeProto.FLOAT))
    function = helper.make_function("demo", "Both", ["a"], ["c"], body, [helper.make_opsetid("", 17)], ["slope"])
    one = model([node("Both", "x", "y", "call", domain="demo", slope=0.5)], X, Y, functions=[function])
    assert app.parse(one)
    assert [name for name, _ in app.layers] == ["node_of_call/b", "node_of_y"]
    assert app.network.get_layer(0).metadata == "[ONNX Layer: node_of_call/b | call (Both)]"
    function.node[0].op_type = "Nope"
    other = Application()
    assert not other.parse(model([node("Both", "x", "y", "call", domain="demo")], X, Y, functions=[function]))
    assert other.errors[0].local_function_stack() == ["call (Both)"]


def test_a_plugin_comes_before_a_local_function(app, creator):
    creator(name="Both")
    function = helper.make_function(
        "demo", "Both", ["a"], ["c"], [node("Relu", "a", "c")], [helper.make_opsetid("", 17)]
    )
    assert app.parse(model([node("Both", "x", "y", domain="demo")], X, Y, functions=[function]))
    assert app.layers == [("node_of_y", "PLUGIN_V2")]


def test_a_flag_lets_plugins_take_the_place_of_operators(creator):
    creator(name="Relu")
    plain, overridden = Application(), Application()
    overridden.parser.set_flag(trt.OnnxParserFlag.ENABLE_PLUGIN_OVERRIDE)
    assert plain.parse(relu())
    assert overridden.parse(relu())
    assert [plain.layers, overridden.layers] == [[("act", "PLUGIN")], [("act", "PLUGIN_V2")]]


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"plugin_namespace": ""}, "PLUGIN_V2"),
        ({"plugin_namespace": "", "plugin_version": "1"}, "PLUGIN_V2"),
        ({"plugin_version": "1"}, "PLUGIN"),
        ({"plugin_namespace": "other"}, "PLUGIN"),
        ({"plugin_namespace": "", "plugin_version": "7"}, "PLUGIN"),
    ],
)
def test_a_node_with_a_namespace_is_its_plugin_not_the_operator(app, creator, attributes, kind):
    creator(name="Relu")
    assert app.parse(model([node("Relu", "x", "y", "act", **attributes)], X, Y))
    assert app.layers == [("act", kind)]


def test_flags_are_bits_and_the_first_is_set(app):
    parser, flag = app.parser, trt.OnnxParserFlag
    assert parser.flags == 1
    assert parser.get_flag(flag.NATIVE_INSTANCENORM)
    parser.clear_flag(flag.NATIVE_INSTANCENORM)
    parser.flags |= 1 << int(flag.ADJUST_FOR_DLA)
    assert (parser.flags, parser.get_flag(flag.ADJUST_FOR_DLA)) == (1 << int(flag.ADJUST_FOR_DLA), True)


def test_operators_that_the_parser_imports_are_supported(app):
    assert app.parser.supports_operator("Conv")
    assert not app.parser.supports_operator("Det")
    assert app.parser.get_used_vc_plugin_libraries() == []


def test_a_model_is_divided_into_what_can_be_imported():
    nodes = [node("Relu", "x", "a"), node("Nope", "a", "b"), node("Relu", "b", "c"), node("Relu", "c", "y")]
    one = model(nodes, X, Y)
    app, other, whole = Application(), Application(), Application()
    assert app.parser.supports_model(one.SerializeToString()) == (False, [([0], False), ([2, 3], False)])
    assert not other.parser.supports_model_v2(one.SerializeToString())
    assert [other.parser.get_subgraph_nodes(part) for part in range(other.parser.num_subgraphs)] == [[0], [2, 3]]
    assert not other.parser.is_subgraph_supported(0)
    assert other.parser.get_subgraph_nodes(2) == []
    assert "Have you called supports_model_v2?" in other.errors[-1].desc()
    assert whole.parser.supports_model_v2(relu().SerializeToString())
    assert whole.parser.is_subgraph_supported(0)


def test_a_file_is_read_with_what_lies_beside_it(app, tmp_path):
    from onnx import external_data_helper, save  # noqa: PLC0415 - the module is skipped where it is not there

    one = model([node("Add", "x w", "y")], X, Y, w=np.arange(6, dtype=np.float32).reshape(2, 3))
    external_data_helper.convert_model_to_external_data(one, location="weights.bin", size_threshold=0)
    save(one, str(tmp_path / "model.onnx"))
    data = (tmp_path / "model.onnx").read_bytes()
    assert app.parser.parse_from_file(str(tmp_path / "model.onnx"))
    assert Application().parser.parse(data, str(tmp_path / "model.onnx"))
    lost = Application()
    assert not lost.parser.parse(data)
    assert "its weights are in other files" in lost.errors[0].desc()


def test_a_file_that_is_none_is_logged_and_is_no_error_of_the_parser(app, tmp_path):
    assert not app.parser.parse_from_file(str(tmp_path / "none.onnx"))
    assert not app.parser.parse_from_file(str(tmp_path))
    assert app.errors == []
    assert app.log.errors == [
        f"Failed to parse ONNX model from file: {tmp_path / 'none.onnx'}!",
        f"Input is not a regular file: {tmp_path}",
    ]


def test_initializers_can_be_given_apart(app):
    one = model([node("Add", "x w", "y")], X, Y, w=np.zeros((2, 3), np.float32))
    data = np.arange(6, dtype=np.float32)
    assert not app.parser.parse_model_proto()
    assert app.parser.load_model_proto(one.SerializeToString())
    assert not app.parser.load_initializer("other", data.ctypes.data, data.nbytes)
    assert app.parser.load_initializer("w", data.ctypes.data, data.nbytes)
    assert app.parser.parse_model_proto()
    constant = app.network.get_layer(0)
    constant.__class__ = trt.IConstantLayer
    assert constant.weights.tolist() == data.tolist()


def test_weight_descriptors_and_a_configuration_change_nothing(app):
    assert app.parser.set_builder_config(app.builder.create_builder_config())
    assert app.parser.parse_with_weight_descriptors(relu().SerializeToString())


def test_a_recorder_hears_of_errors_in_the_loggers_place(app):
    class Recorder(trt.IErrorRecorder):
        def report_error(self, code, text):
            self.heard = (code, text)
            return False

    app.network.error_recorder = recorder = Recorder()
    assert not app.parse(model([node("Nope", "x", "y")], X, Y))
    assert recorder.heard == (trt.ErrorCodeTRT.INVALID_ARGUMENT, str(app.errors[0]))
    assert app.log.errors == []


def test_a_creator_is_found_by_its_own_namespace_though_it_is_registered_in_another(app, creator):
    made = creator(name="Elsewhere")
    made.plugin_namespace = "acme"
    assert app.parse(model([node("Elsewhere", "x", "y", "layer", plugin_namespace="acme")], X, Y))
    assert trt.get_plugin_registry().get_creator("Elsewhere", "1", "acme") is None
    made.plugin_namespace = ""
