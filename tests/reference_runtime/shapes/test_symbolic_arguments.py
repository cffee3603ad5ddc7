import pytest

import reference_runtime as trt
from reference_runtime.shapes.symbolic_arguments import content, new_arguments, new_launch_params
from tests.reference_runtime.registry.test_plugin_libraries import capsule

PARAMETERS = ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_mem")


def test_an_expression_can_be_assigned_to_and_not_read():
    builder = trt.ISymExpr()
    builder.type, builder.dtype, builder.expr = trt.PluginArgType.INT, trt.PluginArgDataType.INT8, capsule(16)
    assert content(builder) == (trt.PluginArgType.INT, trt.PluginArgDataType.INT8, 16)
    for name in ("type", "dtype", "expr"):
        with pytest.raises(AttributeError, match=r"property of 'ISymExpr' object has no getter|^unreadable attribute$"):
            getattr(builder, name)


def test_what_an_expression_stands_for_is_any_pointer():
    expression, pointed_at = trt.ISymExpr(), trt.Dims([1])
    for value, seen in ((pointed_at, pointed_at), (None, 0)):
        expression.expr = value
        assert content(expression)[2] is seen or content(expression)[2] == seen


@pytest.mark.parametrize(("name", "wrong"), [("type", 0), ("dtype", trt.DataType.INT32), ("expr", 3)])
def test_an_expression_takes_nothing_else(name, wrong):
    with pytest.raises(TypeError, match=r"\(arg0: .*ISymExpr, arg1: "):
        setattr(trt.ISymExpr(), name, wrong)


@pytest.mark.parametrize("name", ["ISymExprs", "KernelLaunchParams"])
def test_python_makes_no_lists_and_no_launch_parameters(name):
    with pytest.raises(TypeError, match=rf"^tensorrt\.tensorrt\.{name}: No constructor defined!$"):
        getattr(trt, name)()


def test_arguments_are_as_many_as_was_said():
    arguments = new_arguments()
    assert (len(arguments), arguments.nbSymExprs) == (0, 0)
    arguments.nbSymExprs = 2
    mine = trt.ISymExpr()
    arguments[1] = mine
    assert (arguments[0], arguments[1], len(arguments)) == (None, mine, 2)
    arguments.nbSymExprs = 3
    assert (arguments[1], arguments[2]) == (mine, None)
    arguments.nbSymExprs = 1
    assert len(arguments) == 1


@pytest.mark.parametrize("index", [-1, 1])
def test_an_argument_beyond_their_number_is_an_index_error(index):
    arguments = new_arguments()
    arguments.nbSymExprs = 1
    with pytest.raises(IndexError):
        _ = arguments[index]
    with pytest.raises(IndexError):
        arguments[index] = None


@pytest.mark.parametrize("wrong", [3, "x", trt.Dims()])
def test_an_argument_is_an_expression(wrong):
    arguments = new_arguments()
    arguments.nbSymExprs = 1
    with pytest.raises(TypeError, match=r"__setitem__\(\): incompatible function arguments"):
        arguments[0] = wrong
    with pytest.raises(TypeError, match="incompatible function arguments"):
        arguments.nbSymExprs = "x"


@pytest.mark.parametrize("name", PARAMETERS)
def test_launch_parameters_are_kept_each_by_itself(name):
    parameters, mine = new_launch_params(), trt.ISymExpr()
    setattr(parameters, name, mine)
    assert {each: getattr(parameters, each) for each in PARAMETERS} == {**dict.fromkeys(PARAMETERS), name: mine}
    with pytest.raises(TypeError, match=r"nvinfer1::ISymExpr"):
        setattr(parameters, name, 5)
