"""The tensors that decorated functions get: descriptors in a build, tensors with memory in an execution."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from reference_runtime.plugin.symbols import ShapeExpr, ShapeExprs, SizeTensorShapeExpr
from reference_runtime.values.descriptors import DynamicPluginTensorDesc, PluginTensorDesc
from reference_runtime.values.dims import Dims
from reference_runtime.values.enums import DataType
from reference_runtime.values.helpers import nptype

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.values.enums import TensorFormat

_NO_SHAPE = (
    "TensorDesc has no shape information available at this stage. Inspect TensorDesc.has_shape to determine "
    "availability."
)


class Shape:
    """The dimensions of a tensor as numbers; -1 means that a dimension is unknown."""

    def __init__(self, tensor_desc: Any = None) -> None:
        self._desc: Any = None
        if isinstance(tensor_desc, DynamicPluginTensorDesc):
            self._shapes = tensor_desc.desc.dims
            self._desc = tensor_desc
        elif isinstance(tensor_desc, PluginTensorDesc):
            self._shapes = tensor_desc.dims
        elif isinstance(tensor_desc, tuple):
            self._shapes = Dims(tensor_desc)
        elif tensor_desc is None:
            self._shapes = Dims(())
        else:
            raise ValueError(
                "Unsupported type used for constructing trt.plugin.Shape! tensor_desc must be a Tuple[int], "
                "trt.DynamicPluginTensorDesc, or trt.PluginTensorDesc"
            )

    def numel(self) -> int:
        """Return the number of elements; raise ValueError if a dimension is unknown."""
        if self.is_dynamic:
            raise ValueError("Shape has at least one dynamic dimension.")
        return int(np.prod(tuple(self._shapes)))

    def __iter__(self) -> Iterator[int]:
        yield from self._shapes

    def __getitem__(self, index: Any) -> Any:
        return self._shapes[index]

    def __len__(self) -> int:
        return len(self._shapes)

    def __str__(self) -> str:
        return f"Shape{tuple(self)}"

    def __setitem__(self, index: int, value: int) -> None:
        if index >= len(self):
            raise IndexError("Index out of range")
        self._shapes[index] = value

    @property
    def is_dynamic(self) -> bool:
        """Return whether a dimension is not known yet."""
        return -1 in tuple(self._shapes)

    @property
    def opt(self) -> tuple[int, ...]:
        """The dimensions that the plugin is timed with."""
        return self._corner("opt")

    @property
    def min(self) -> tuple[int, ...]:
        """The minimum dimensions."""
        return self._corner("min")

    @property
    def max(self) -> tuple[int, ...]:
        """The maximum dimensions."""
        return self._corner("max")

    def _corner(self, name: str) -> tuple[int, ...]:
        if not self.is_dynamic:
            raise ValueError(f"{name} property is only accessible if is_dynamic is true")
        if self._desc is None:
            raise AttributeError(
                "Shape object has at least one dynamic dimension, but no information is available on "
                f"'{name}' property."
            )
        return tuple(getattr(self._desc, name))

    def _clone(self) -> Shape:
        made = Shape()
        made.__dict__.update(self.__dict__)
        return made


class _Immutable:
    """An object whose attributes can be set until it is frozen."""

    _immutable = False
    _kind = ""

    def __setattr__(self, name: str, value: Any) -> None:
        if self._immutable and name != "_immutable":
            raise ValueError(f"Cannot modify immutable {self._kind} properties")
        super().__setattr__(name, value)


def _kept(name: str, doc: str) -> Any:
    """Return a property that reads and assigns an attribute."""
    return property(operator.attrgetter(name), lambda tensor, value: setattr(tensor, name, value), doc=doc)


def _kept_with_the_shape(name: str, doc: str) -> Any:
    """Return a property of a descriptor; it can be read only after the descriptor has a shape."""

    def read(desc: TensorDesc) -> Any:
        desc._validate_has_shape()
        return getattr(desc, name)

    def assign(desc: TensorDesc, value: Any) -> None:
        if desc._immutable:
            raise ValueError("Cannot modify immutable TensorDesc")
        setattr(desc, name, value)

    return property(read, assign, doc=doc)


class TensorDesc(_Immutable):
    """A tensor in a build; its dimensions are known as numbers in ``autotune`` and ``aot_impl`` only."""

    _kind = "TensorDesc"

    def __init__(
        self,
        shape_expr: ShapeExprs | None = None,
        dtype: DataType | None = None,
        format: TensorFormat | None = None,  # noqa: A002 - TensorRT's name
        scale: float | None = None,
    ) -> None:
        self._shape_expr: Any = shape_expr
        self._dtype: Any = dtype
        self._shape: Any = None
        self._format: Any = format
        self._scale: Any = scale
        self._aliased_to: TensorDesc | None = None
        self._immutable = False

    def numel(self) -> int:
        """Return the product of the dimensions; raise ValueError if they are not known as numbers."""
        self._validate_has_shape()
        return int(np.prod(tuple(self.shape)))

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape_expr)

    @property
    def is_size_tensor(self) -> bool:
        """Return whether the tensor holds the size of another tensor."""
        return False

    def like(self) -> TensorDesc:
        """Return a copy of the descriptor that may be changed."""
        made = self._clone()
        made._immutable = False
        return made

    def aliased(self) -> TensorDesc:
        """Return a descriptor with the same properties, for a tensor that shares this tensor's memory."""
        made = self._clone()
        made._immutable = False
        made._aliased_to = self
        made._immutable = True
        return made

    def _clone(self) -> TensorDesc:
        made = TensorDesc()
        made.__dict__.update(self.__dict__)
        made._immutable = False
        made._shape_expr = self._shape_expr._clone()
        made._shape = None if self._shape is None else self._shape._clone()
        made._immutable = True
        return made

    def get_aliased(self) -> TensorDesc | None:
        """Return the descriptor of the tensor whose memory this tensor shares, or None."""
        return self._aliased_to

    def _validate_has_shape(self) -> None:
        if not self.has_shape:
            raise ValueError(_NO_SHAPE)

    @property
    def shape_expr(self) -> ShapeExprs:
        """The dimensions as expressions."""
        expressions: ShapeExprs = self._shape_expr
        return expressions

    @shape_expr.setter
    def shape_expr(self, value: Any) -> None:
        self._shape_expr = value

    dtype = _kept("_dtype", "The type of the elements.")
    shape = _kept_with_the_shape("_shape", "The dimensions as numbers.")
    format = _kept_with_the_shape("_format", "The layout in memory.")
    scale = _kept_with_the_shape("_scale", "The scale of INT8.")

    @property
    def is_aliased(self) -> bool:
        """Return whether the tensor shares the memory of another tensor."""
        return self._aliased_to is not None

    @property
    def has_shape(self) -> bool:
        """Return whether the dimensions are known as numbers."""
        return self._shape is not None

    @property
    def is_dynamic(self) -> bool:
        """Return whether a dimension is unknown; raise ValueError if there are no dimensions as numbers."""
        self._validate_has_shape()
        return bool(self.shape.is_dynamic)

    @property
    def has_shape_expr(self) -> bool:
        """Return whether the dimensions are known as expressions."""
        return self.shape_expr is not None


class SizeTensorDesc(TensorDesc):
    """A number that the plugin writes: the size of a data-dependent dimension."""

    def __init__(self, opt: ShapeExpr, upper_bound: ShapeExpr) -> None:
        super().__init__(ShapeExprs(0), DataType.INT32)
        self._opt = opt
        self._upper_bound = upper_bound
        self._index: int | None = None
        self._expr = SizeTensorShapeExpr(self)

    @property
    def is_size_tensor(self) -> bool:
        """Return True."""
        return True

    @property
    def opt(self) -> ShapeExpr:
        """The dimension that the plugin is timed with."""
        return self._opt

    @property
    def upper_bound(self) -> ShapeExpr:
        """The maximum of the dimension."""
        return self._upper_bound

    @property
    def index(self) -> Any:
        """The index of the output; None until ``register`` has returned."""
        return self._index

    def _set_index(self, idx: int) -> None:
        self._index = idx

    def expr(self) -> SizeTensorShapeExpr:
        """Return the number as a dimension of another tensor."""
        return self._expr


class Tensor(_Immutable):
    """A tensor with memory, as ``impl`` gets it; other libraries reach it by ``__cuda_array_interface__``."""

    _kind = "Tensor"

    def __init__(self) -> None:
        self._data_ptr: Any = None
        self._shape: Any = None
        self._format: Any = None
        self._dtype: Any = None
        self._scale: Any = None
        self._strides: Any = None
        self._aliased_to: Tensor | None = None
        self._stream: Any = None
        self._read_only: Any = None
        self._immutable = False

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    data_ptr = _kept("_data_ptr", "The address of the memory.")
    dtype = _kept("_dtype", "The type of the elements.")
    shape = _kept("_shape", "The dimensions.")
    format = _kept("_format", "The layout in memory.")
    scale = _kept("_scale", "The scale of INT8.")
    strides = _kept("_strides", "The distances between elements.")

    def numel(self) -> int:
        """Return the number of elements; raise ValueError if a dimension depends on data."""
        if self.is_data_dependent:
            raise ValueError(
                "Tensor has a data-dependent dimension. Examine Tensor.shape to determine wildcards "
                "(representing data-dependent dimensions)."
            )
        return int(np.prod(tuple(self._shape)))

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """The tensor in the form that other libraries read; it is never marked as read-only."""
        if self._dtype in {DataType.BF16, DataType.FP8, DataType.INT4}:
            raise ValueError(f"Handling {self._dtype} via '__cuda_array_interface__' is not supported")
        kind = np.dtype(nptype(self._dtype))
        return {
            "shape": tuple(self._shape),
            "typestr": kind.str,
            "stream": self._stream,
            "version": 3,
            "data": (self._data_ptr, False),
            "strides": tuple(stride * kind.itemsize for stride in self._strides),
        }

    def get_aliased(self) -> Tensor | None:
        """Return the tensor whose memory this tensor shares, or None."""
        return self._aliased_to

    @property
    def is_aliased(self) -> bool:
        """Return True if the tensor shares no memory, and False if it does, as the genuine property does."""
        return self._aliased_to is None

    @property
    def is_data_dependent(self) -> bool:
        """Return whether a dimension depends on input data."""
        return bool(self._shape.is_dynamic)

    def aliased(self, shape: Any = None) -> Tensor:
        """Return a tensor over the same memory, with other dimensions if they are given."""
        made = Tensor()
        made.__dict__.update(self.__dict__)
        made._immutable = False
        made._shape = self._other_shape(shape)
        if not self.is_data_dependent and made.is_data_dependent and made._shape.numel() > self.numel():
            raise ValueError("Volume of this tensor is less than the provided 'shape'.")
        made._aliased_to = self
        return made

    def _other_shape(self, shape: Any) -> Any:
        if shape is None:
            return self._shape
        if isinstance(shape, Shape):
            return shape
        if isinstance(shape, (PluginTensorDesc, tuple)):
            return Shape(shape)
        raise ValueError("Unsupported type for 'shape'")
