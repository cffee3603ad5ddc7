"""Models for NVIDIA's builder: fields become attributes of which a parser makes the same fields."""

import numpy as np
import pytest

import reference_runtime as trt
from harness.child.nvidias_builder import models
from harness.subject.fields import FieldValue


@pytest.mark.parametrize("text", [b"twice", b"twice\0"])
def test_the_parser_alone_adds_a_nul(text):
    pytest.importorskip("onnx")
    field = FieldValue("mode", np.frombuffer(text, np.int8), trt.PluginFieldType.CHAR)
    assert models._attribute(field).s == b"twice"
