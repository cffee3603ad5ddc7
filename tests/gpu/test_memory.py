"""A whole run leaves nothing behind on the GPU."""

import pytest

from harness.process import gpus
from tests.gpu import alone

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.skipif(not gpus.usable(), reason="CuPy finds no GPU here")


@alone.MEASURES_THE_WHOLE_GPU
def test_the_memory_is_back_at_its_baseline_when_a_run_has_ended(pytester):
    runtime = pytest.importorskip("cupy").cuda.runtime
    pytest.importorskip("pytest_benchmark")
    runtime.free(0)
    before = runtime.memGetInfo()[0]
    result = pytester.runpytest_subprocess(
        "--plugin-module=plugin_examples.bar", "--plugin-device=cuda", "--plugin-benchmark"
    )
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*TensorRT plugin latency*", "*device_hot*"])
    assert runtime.memGetInfo()[0] == before
