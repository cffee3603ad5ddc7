"""The plugins that are made from decorated functions: each callback describes its tensors and calls a function.

Theory. TensorRT sees a decorated plugin as an `IPluginV3` with the quick capabilities. These objects behave as those of
TensorRT's own package, including its flaws. Clones share all attributes with their source. An object that is recreated
from serialized attributes was never asked for types, so it knows no aliases. Only attributes that ``impl`` takes are
serialized.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from reference_runtime.interfaces.field_collections import PluginField, PluginFieldCollection
from reference_runtime.interfaces.quick import (
    IPluginV3QuickAOTBuild,
    IPluginV3QuickBuild,
    IPluginV3QuickCore,
    IPluginV3QuickRuntime,
)
from reference_runtime.interfaces.v3 import IPluginV3
from reference_runtime.plugin.attributes import field_of
from reference_runtime.plugin.combinations import Way, ways_of
from reference_runtime.plugin.launching import PARAMETERS, KernelLaunchParams
from reference_runtime.plugin.symbols import ShapeExpr, ShapeExprs, SymExprs, SymInt32, calculating
from reference_runtime.plugin.tensors import Shape, Tensor, TensorDesc
from reference_runtime.shapes.expressions import DimsExprs
from reference_runtime.values.descriptors import PluginTensorDesc
from reference_runtime.values.enums import TensorFormat

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Definition(Protocol):
    """The decorated functions of a plugin, and the names of the attributes that each function takes."""

    register_func: Any
    impl_func: Any
    aot_impl_func: Any
    autotune_func: Any
    impl_attr_names: list[str]
    aot_impl_attr_names: list[str]
    autotune_attr_names: list[str]
    expects_tactic: bool

    @property
    def identity(self) -> tuple[str, str]:
        """Its namespace and its name."""
        ...

    @property
    def num_outputs(self) -> int:
        """Return the number of outputs of the plugin."""
        ...


class _Template(IPluginV3, IPluginV3QuickCore, IPluginV3QuickBuild):
    """The common part of the two kinds of decorated plugins: they are built in the same way."""

    def __init__(self, definition: Definition, attributes: dict[str, Any]) -> None:
        IPluginV3.__init__(self)
        IPluginV3QuickCore.__init__(self)
        IPluginV3QuickBuild.__init__(self)
        self.plugin_namespace, self.plugin_name = definition.identity
        self.plugin_version = "1"
        self.num_outputs = definition.num_outputs
        self.definition = definition
        self.attrs = attributes
        self.input_types: Any = []
        self.output_types: list[Any] = []
        self.aliased_map: dict[int, int] = {}
        self.input_descs: list[TensorDesc] = []
        self.output_descs: Any = ()
        self.supported_combs: dict[Way, set[int]] = {}
        self.curr_comb: Way | None = None
        self._tactic = 0
        self._saved: list[PluginField] = []

    def get_capability_interface(self, _type: Any) -> Any:
        """Return the plugin itself as each capability."""
        return self

    def get_num_outputs(self) -> int:
        """Return the number of outputs in the annotation of ``register``."""
        return self.num_outputs

    def get_output_data_types(self, input_types: Any, ranks: Sequence[int]) -> list[Any]:
        """Call ``register`` with fake dimensions, for types and aliases."""
        self.input_types = input_types
        inputs = fake_inputs(input_types, ranks)
        outputs = self._register(inputs)
        self.output_types = [desc.dtype for desc in outputs]
        places = {id(desc): place for place, desc in enumerate(inputs)}
        for place, desc in enumerate(outputs):
            source = desc.get_aliased()
            self.aliased_map[place] = -1 if source is None else places[id(source)]
        return self.output_types

    def get_output_shapes(self, inputs: Sequence[Any], shape_inputs: Sequence[Any], builder: Any) -> list[DimsExprs]:
        """Call ``register`` with the network's dimensions."""
        if shape_inputs:
            raise AssertionError("shape inputs are not supported for decorated plugins")
        with calculating(builder):
            self.input_descs = known_inputs(self.input_types, inputs)
            self.output_descs = self._register(self.input_descs)
            for place, desc in enumerate(self.output_descs):
                if desc.is_size_tensor:
                    desc._set_index(place)
            return [_expressions(desc) for desc in self.output_descs]

    def _register(self, inputs: Sequence[TensorDesc]) -> tuple[Any, ...]:
        outputs = self.definition.register_func(*inputs, **self.attrs)
        return outputs if isinstance(outputs, tuple) else (outputs,)

    def configure_plugin(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
        """Remember the combination."""
        descs = [tensor.desc for tensor in (*inputs, *outputs)]
        self.curr_comb = Way(tuple(desc.type for desc in descs), tuple(desc.format for desc in descs))

    def get_supported_format_combinations(self, in_out: Sequence[Any], num_inputs: int) -> list[PluginTensorDesc]:
        """Call ``autotune``; without it, or if it offers nothing, return the types of ``register`` as LINEAR."""
        offered = [] if self.definition.autotune_func is None else self.autotuned(in_out)
        if len(offered) == 0:
            outputs = [desc.dtype for desc in self.output_descs]
            way = Way((*self.input_types[:num_inputs], *outputs), (TensorFormat.LINEAR,) * len(in_out))
            self.supported_combs[way] = set()
            return list(_descriptors(way))
        self.supported_combs = {}
        for combination in offered:
            for way, tactics in ways_of(combination):
                self.supported_combs.setdefault(way, set()).update(tactics)
        return [desc for way in self.supported_combs for desc in _descriptors(way)]

    def autotuned(self, in_out: Sequence[Any]) -> Any:
        """Call ``autotune`` with the descriptors of the last shape query."""
        self._show(in_out)
        values = [self.attrs[name] for name in self.definition.autotune_attr_names]
        return self.definition.autotune_func(*self.input_descs, *values, self.output_descs)

    def _show(self, in_out: Sequence[Any]) -> None:
        """Give the descriptors of the last shape query the dimensions, formats and scales of ``in_out``."""
        for desc, shown in zip((*self.input_descs, *self.output_descs), in_out, strict=True):
            desc._immutable = False
            desc.shape, desc.format, desc.scale = Shape(shown), shown.desc.format, shown.desc.scale
            desc._immutable = True

    def get_aliased_input(self, output_index: int) -> int:
        """Return the input that an output aliased in the last query of types, or -1."""
        return self.aliased_map[output_index]

    def get_valid_tactics(self) -> list[int]:
        """Return the tactics of the combination that the plugin was configured for."""
        tactics = None if self.curr_comb is None else self.supported_combs.get(self.curr_comb)
        if tactics is None:
            raise AssertionError("the plugin was configured for a combination that it did not offer")
        return list(tactics)

    def set_tactic(self, tactic: int) -> None:
        """Remember the tactic."""
        self._tactic = tactic

    def get_fields_to_serialize(self) -> PluginFieldCollection:
        """Return the attributes that ``impl`` takes.

        TensorRT reads the fields after this has returned. So the object keeps them, which TensorRT's package does not.
        """
        taken = self.definition.impl_attr_names
        self._saved = [field_of(name, value) for name, value in self.attrs.items() if name in taken]
        return PluginFieldCollection(self._saved)

    def clone(self) -> Any:
        """Return an object that shares all attributes with this object."""
        made = type(self)(self.definition, self.attrs)
        made.__dict__.update(self.__dict__)
        return made


class RunningPlugin(_Template, IPluginV3QuickRuntime):
    """A decorated plugin with an ``impl``, which runs in Python each time."""

    def __init__(self, definition: Definition, attributes: dict[str, Any]) -> None:
        super().__init__(definition, attributes)
        IPluginV3QuickRuntime.__init__(self)

    def enqueue(
        self,
        input_desc: Sequence[Any],
        output_desc: Sequence[Any],
        inputs: Sequence[int],
        outputs: Sequence[int],
        in_strides: Sequence[Any],
        out_strides: Sequence[Any],
        stream: int,
    ) -> None:
        """Call ``impl``."""
        input_tensors = [_tensor(*each, stream) for each in zip(input_desc, inputs, in_strides, strict=True)]
        output_tensors = [_tensor(*each, stream) for each in zip(output_desc, outputs, out_strides, strict=True)]
        shared = list(self.aliased_map.values())
        for place, tensor in enumerate(input_tensors):
            tensor._read_only = place not in shared
        for tensor in output_tensors:
            tensor._read_only = False
        for place, source in self.aliased_map.items():
            # as in TensorRT's package: without an alias the source is -1, which is the last input
            output, shared_input = output_tensors[place], input_tensors[source]
            output._aliased_to, shared_input._aliased_to = shared_input, output
        for tensor in (*input_tensors, *output_tensors):
            tensor._immutable = True
        values = [self.attrs[name] for name in self.definition.impl_attr_names]
        if self.definition.expects_tactic:
            self.definition.impl_func(*input_tensors, *values, output_tensors, stream, self._tactic)
        else:
            self.definition.impl_func(*input_tensors, *values, output_tensors, stream=stream)


class CompiledPlugin(_Template, IPluginV3QuickAOTBuild):
    """A decorated plugin with an ``aot_impl``: the engine has its kernels, and needs no Python to run them."""

    def __init__(self, definition: Definition, attributes: dict[str, Any]) -> None:
        super().__init__(definition, attributes)
        IPluginV3QuickAOTBuild.__init__(self)
        self.kernel_map: dict[tuple[Way, int], tuple[Any, Any]] = {}

    def get_kernel(self, input_desc: Sequence[Any], output_desc: Sequence[Any]) -> tuple[Any, bytes]:
        """Return the kernel that ``aot_impl`` gave for these types and formats, and the tactic."""
        descs = (*input_desc, *output_desc)
        key = Way(tuple(desc.type for desc in descs), tuple(desc.format for desc in descs)), self._tactic
        if key not in self.kernel_map:
            raise AssertionError(f"key {key} not in kernel_map")
        name, image = self.kernel_map[key]
        return name, image.encode() if isinstance(image, str) else image

    def get_launch_params(
        self,
        inputs: Sequence[Any],
        in_out: Sequence[Any],
        num_inputs: int,  # noqa: ARG002 - as many as there are ``inputs``
        launch_params: Any,
        extra_args: Any,
        builder: Any,
    ) -> None:
        """Call ``aot_impl``, and write the parameters of the launch and the extra arguments.

        ``register`` is called once more, for dimensions that this builder can calculate with. TensorRT's package uses
        the dimensions of the last shape query.
        """
        with calculating(builder):
            name, image, launch, arguments = self.asked_for_a_kernel(inputs, in_out)
            _check_kernel(name, image, launch, arguments)
            for parameter in PARAMETERS:
                setattr(launch_params, parameter, getattr(launch, parameter)())
            descs = [tensor.desc for tensor in in_out]
            way = Way(tuple(desc.type for desc in descs), tuple(desc.format for desc in descs))
            self.kernel_map[way, self._tactic] = name, image
            extra_args.nbSymExprs = len(arguments)
            for place, argument in enumerate(arguments):
                if not isinstance(argument, SymInt32):
                    raise TypeError(f"Extra args must be a 'tensorrt.plugin.SymInt32'.  Got: {type(argument)}.")
                extra_args[place] = argument()

    def asked_for_a_kernel(self, inputs: Sequence[Any], in_out: Sequence[Any]) -> Any:
        """Call ``aot_impl`` for the tactic that was set; only inside `calculating`."""
        self.input_descs = known_inputs(self.input_types, inputs)
        self.output_descs = self._register(self.input_descs)
        self._show(in_out)
        for desc, shown in zip((*self.input_descs, *self.output_descs), in_out, strict=True):
            desc._immutable = False
            desc.dtype = shown.desc.type
            desc._immutable = True
        values = [self.attrs[name] for name in self.definition.aot_impl_attr_names]
        return self.definition.aot_impl_func(*self.input_descs, *values, self.output_descs, self._tactic)

    def get_timing_cache_id(self) -> str:
        """Return an empty id: the attributes of a plugin do not distinguish its timings."""
        return ""


def _check_kernel(name: Any, image: Any, launch: Any, arguments: Any) -> None:
    if not isinstance(name, (str, bytes)):
        raise TypeError(f"Kernel name must be a 'str' or 'bytes'.  Got: {type(name)}.")
    if not isinstance(image, (str, bytes)):
        raise TypeError(f"PTX/CUBIN must be a 'str' or 'bytes'.  Got: {type(image)}.")
    if not isinstance(launch, KernelLaunchParams):
        raise TypeError(f"Launch params must be a 'tensorrt.plugin.KernelLaunchParams'.  Got: {type(launch)}.")
    if not isinstance(arguments, SymExprs):
        raise TypeError(f"Extra args must be a 'tensorrt.plugin.SymIntExprs'.  Got: {type(arguments)}.")


def fake_inputs(types: Sequence[Any], ranks: Sequence[int]) -> list[TensorDesc]:
    """Return the descriptors of inputs for ``register``, with fake dimensions."""
    extents = [ShapeExprs(rank, _is_dummy=True) for rank in ranks]
    return [_described(dtype, each) for dtype, each in zip(types, extents, strict=True)]


def known_inputs(types: Sequence[Any], inputs: Sequence[Any]) -> list[TensorDesc]:
    """Return the descriptors of inputs for ``register``, with the network's dimensions; only inside `calculating`."""
    extents = [ShapeExprs.from_tuple(ShapeExpr(dims[axis]) for axis in range(len(dims))) for dims in inputs]
    return [_described(dtype, each) for dtype, each in zip(types, extents, strict=True)]


def _described(dtype: Any, extents: ShapeExprs) -> TensorDesc:
    desc = TensorDesc(extents, dtype)
    desc._immutable = True
    return desc


def _expressions(desc: TensorDesc) -> DimsExprs:
    made = DimsExprs(len(desc.shape_expr))
    for axis, extent in enumerate(desc.shape_expr):
        made[axis] = extent._expr
    return made


def _descriptors(way: Way) -> Iterator[PluginTensorDesc]:
    for dtype, layout in zip(way.types, way.layouts, strict=True):
        desc = PluginTensorDesc()
        desc.type, desc.format = dtype, layout
        yield desc


def _tensor(desc: Any, address: int, strides: Any, stream: int) -> Tensor:
    tensor = Tensor()
    tensor.dtype, tensor.shape, tensor.format, tensor.scale = desc.type, Shape(desc), desc.format, desc.scale
    tensor.data_ptr, tensor.strides, tensor._stream = address, strides, stream
    return tensor
