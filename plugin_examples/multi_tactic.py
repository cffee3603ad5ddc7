"""Polynomial: evaluates a polynomial at each element, in one of two ways; the builder times them. FLOAT and HALF.

Tactic 1 is Horner's scheme, a multiplication and an addition for each coefficient, one after the other. Tactic 2 takes
even and odd powers apart: two chains of half the length, and more workspace. Polynomials of degree 0 and 1 have nothing
to take apart, and have tactic 1 alone. Both compute in FP32.
"""

import math

import cupy as cp
import numpy as np
import tensorrt as trt

TYPES = (trt.DataType.FLOAT, trt.DataType.HALF)
HORNER, EVEN_AND_ODD = 1, 2
#: Arrays of FP32 that each tactic needs; the workspace is asked for before the tactic is known.
ARRAYS = {HORNER: 1, EVEN_AND_ODD: 3}


class PolynomialPlugin(trt.IPluginV3, trt.IPluginV3OneCore, trt.IPluginV3OneBuild, trt.IPluginV3OneRuntime):
    """Computes ``c[0] + c[1] * x + c[2] * x**2 + ...``; one object has all three capabilities."""

    def __init__(self, coefficients, namespace=""):
        trt.IPluginV3.__init__(self)
        trt.IPluginV3OneCore.__init__(self)
        trt.IPluginV3OneBuild.__init__(self)
        trt.IPluginV3OneRuntime.__init__(self)
        self.plugin_name = "Polynomial"
        self.plugin_version = "1"
        self.plugin_namespace = namespace
        self.num_outputs = 1
        self.coefficients = tuple(map(float, coefficients))
        # How long it takes depends on the number of coefficients, and not on their values.
        self.timing_cache_id = f"coefficients={len(self.coefficients)}"
        self.metadata_string = f"coefficients={list(self.coefficients)}"
        # TensorRT reads the field from here when it serializes the plugin.
        self._stored = np.array(self.coefficients, np.float32)
        self._tactic = None

    def get_capability_interface(self, type):  # noqa: A002 - TensorRT's name
        return self

    def clone(self):
        return PolynomialPlugin(self.coefficients, self.plugin_namespace)

    # -- build ----------------------------------------------------------------------------------------------

    def get_output_data_types(self, input_types):
        return [input_types[0]]

    def get_output_shapes(self, inputs, shape_inputs, expr_builder):
        return [trt.DimsExprs(inputs[0])]

    def supports_format_combination(self, pos, in_out, num_inputs):
        desc = in_out[pos].desc
        if desc.format != trt.TensorFormat.LINEAR:
            return False
        return desc.type in TYPES and desc.type == in_out[0].desc.type

    def configure_plugin(self, inputs, outputs):
        """Nothing: the tactics are the same for all types and dimensions."""

    def get_valid_tactics(self):
        return self._tactics()

    def get_workspace_size(self, inputs, outputs):
        arrays = max(ARRAYS[tactic] for tactic in self._tactics())
        return arrays * math.prod(inputs[0].max) * np.dtype(np.float32).itemsize

    # -- runtime --------------------------------------------------------------------------------------------

    def set_tactic(self, tactic):
        if tactic not in self._tactics():
            raise ValueError(f"Polynomial has the tactics {self._tactics()}, and was given tactic {tactic}")
        self._tactic = tactic

    def on_shape_change(self, inputs, outputs):
        """Nothing: enqueue takes types and dimensions from its descriptors."""

    def attach_to_context(self, context):
        return self.clone()

    def enqueue(self, input_desc, output_desc, inputs, outputs, workspace, stream):
        shape, dtype = tuple(input_desc[0].dims), np.dtype(trt.nptype(input_desc[0].type))
        if trt.volume(shape) == 0:
            return
        with cp.cuda.ExternalStream(stream):
            x, y = (self._array(address, shape, dtype) for address in (inputs[0], outputs[0]))
            scratch = self._array(workspace, (ARRAYS[self._tactic], *shape), np.dtype(np.float32))
            if self._tactic == HORNER:
                self._horner(self.coefficients, x, scratch[0])
            else:
                self._even_and_odd(x, *scratch)
            cp.copyto(y, scratch[0], casting="same_kind")

    def get_fields_to_serialize(self):
        return trt.PluginFieldCollection([trt.PluginField("coefficients", self._stored, trt.PluginFieldType.FLOAT32)])

    # -- both ways ------------------------------------------------------------------------------------------

    @staticmethod
    def _horner(coefficients, x, result):
        result.fill(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            cp.multiply(result, x, out=result)
            cp.add(result, np.float32(coefficient), out=result)

    def _even_and_odd(self, x, result, odd, square):
        cp.copyto(square, x)
        cp.multiply(square, square, out=square)
        self._horner(self.coefficients[0::2], square, result)
        self._horner(self.coefficients[1::2], square, odd)
        cp.multiply(odd, x, out=odd)
        cp.add(result, odd, out=result)

    def _tactics(self):
        return [HORNER, EVEN_AND_ODD] if len(self.coefficients) > 2 else [HORNER]  # noqa: PLR2004 - a straight line

    def _array(self, address, shape, dtype):
        """Return an array over memory that belongs to TensorRT."""
        memory = cp.cuda.UnownedMemory(address, trt.volume(shape) * dtype.itemsize, self)
        return cp.ndarray(shape, dtype, cp.cuda.MemoryPointer(memory, 0))


class PolynomialCreator(trt.IPluginCreatorV3One):
    """Makes PolynomialPlugins from one field, ``coefficients`` (at least one FLOAT32, that of the constant first)."""

    def __init__(self):
        trt.IPluginCreatorV3One.__init__(self)
        self.name = "Polynomial"
        self.plugin_version = "1"
        self.plugin_namespace = ""
        # TensorRT does not keep these alive, so the creator does.
        self._advertised = [trt.PluginField("coefficients", np.array([], np.float32), trt.PluginFieldType.FLOAT32)]
        self.field_names = trt.PluginFieldCollection(self._advertised)

    def create_plugin(self, name, field_collection, phase):
        for field in field_collection:
            if field.name == "coefficients":
                return PolynomialPlugin(self._coefficients(field), self.plugin_namespace)
        raise ValueError("Polynomial needs the field coefficients")

    @staticmethod
    def _coefficients(field):
        if field.type != trt.PluginFieldType.FLOAT32 or field.size < 1:
            raise ValueError(f"coefficients are at least one FLOAT32, not {field.size} of {field.type}")
        return field.data.tolist()


if not trt.get_plugin_registry().register_creator(PolynomialCreator(), ""):
    raise RuntimeError(
        "TensorRT refused the creator of Polynomial: another plugin of this name and version is registered"
    )
