import pytest

from reference_runtime.plugin.launching import PARAMETERS, KernelLaunchParams
from reference_runtime.plugin.symbols import calculating
from reference_runtime.shapes import expressions


def test_numbers_become_symbolic_ones():
    with calculating(expressions.new_builder()):
        launch = KernelLaunchParams(grid_x=7)
        launch.block_x = 64
        values = {name: getattr(launch, name).constant_value() for name in PARAMETERS}
    assert values == dict.fromkeys(PARAMETERS, 1) | {"grid_x": 7, "block_x": 64, "shared_mem": 0}


def test_there_are_no_other_parameters():
    with pytest.raises(AttributeError, match="no attribute 'grid_w'"):
        KernelLaunchParams().grid_w = 1
