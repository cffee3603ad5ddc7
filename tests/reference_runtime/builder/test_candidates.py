from __future__ import annotations

import pytest

from reference_runtime.values.enums import DataType
from reference_runtime.values.enums_building import BuilderFlag
from tests.support.runtime.recording import shop
from tests.support.runtime.recording_v3 import shop_v3

OBEY, PREFER = BuilderFlag.OBEY_PRECISION_CONSTRAINTS, BuilderFlag.PREFER_PRECISION_CONSTRAINTS
both = pytest.mark.parametrize("open_shop", [shop, shop_v3])


def chosen(made, *, precision=None, output=None, flag=None, half=True):
    """The types of input and output of a plugin layer in an engine, or the refusal."""
    made.profile()
    if half:
        made.config.set_flag(BuilderFlag.FP16)
    if flag is not None:
        made.config.set_flag(flag)
    network = made.network()
    layer = network.get_layer(0)
    if precision is not None:
        layer.precision = precision
    if output is not None:
        layer.set_output_type(0, output)
    if made.builder.build_serialized_network(network, made.config) is None:
        return made.log.errors[-1]
    in_, out = made.tape.of("configure_plugin")[-1][2]
    return in_[0][0][1], out[0][0][1]


@both
@pytest.mark.parametrize(
    ("flag", "expected"), [(None, DataType.FLOAT), (OBEY, DataType.HALF), (PREFER, DataType.HALF)], ids=str
)
def test_a_layers_precision_counts_where_a_flag_says_so(open_shop, flag, expected):
    with open_shop() as made:
        assert chosen(made, precision=DataType.HALF, flag=flag) == (expected, expected)


@both
def test_an_outputs_type_counts_where_a_flag_says_so(open_shop):
    with open_shop() as made:
        assert chosen(made, output=DataType.HALF, flag=OBEY) == (DataType.HALF, DataType.HALF)


@both
def test_constraints_that_nothing_keeps_are_refused_or_given_up(open_shop):
    with open_shop() as made:
        assert "they are to be obeyed" in chosen(made, precision=DataType.HALF, flag=OBEY, half=False)
    with open_shop() as made:
        found = chosen(made, precision=DataType.HALF, flag=PREFER, half=False)
        assert found == (DataType.FLOAT, DataType.FLOAT)
