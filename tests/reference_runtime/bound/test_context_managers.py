import pytest

import reference_runtime as trt


def test_a_with_statement_warns_and_leaves_the_object_alone():
    logger = trt.Logger()
    with pytest.warns(DeprecationWarning, match="Context managers for TensorRT types are deprecated"), logger as same:
        assert same is logger
    assert logger.min_severity == trt.Logger.WARNING
