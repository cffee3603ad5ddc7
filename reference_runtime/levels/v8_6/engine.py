"""ICudaEngine as in TensorRT 8.6: queries by the number of a binding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference_runtime.bound.bound_class import attribute
from reference_runtime.bound.conversions import int32, string
from reference_runtime.bound.deprecations import deprecated
from reference_runtime.bound.overloads import Overload, bound
from reference_runtime.engine.engine import ICudaEngine
from reference_runtime.levels.v8_6 import batches, profiles
from reference_runtime.levels.v8_6.bindings import binding_at, binding_named, bindings, io_names, wrong_binding
from reference_runtime.values.descriptions import no_dims
from reference_runtime.values.enums import DataType, TensorFormat, TensorIOMode, TensorLocation
from reference_runtime.values.enums_building import ExecutionContextAllocationStrategy
from reference_runtime.values.refusals import Refused, complain

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference_runtime.engine.context.context import IExecutionContext
    from reference_runtime.levels.v8_6.bindings import Binding
    from reference_runtime.values.dims import Dims

_SELF = "self: ICudaEngine"
_device_memory_size = vars(ICudaEngine)["device_memory_size_v2"].fget
_create_context = ICudaEngine.create_execution_context
_get_tensor_shape = ICudaEngine.get_tensor_shape
_USER_MANAGED = ExecutionContextAllocationStrategy.USER_MANAGED


def _forms(result: str, *, by_name: bool = False, argument: str = "index", before: str = "") -> tuple[Overload, ...]:
    """Return the overloads of a query about a binding: by its number, and ``by_name``."""
    first = (int32,) if before else ()
    forms = [Overload(f"({_SELF}, {before}{argument}: int) -> {result}", *first, int32)]
    if by_name:
        forms.append(Overload(f"({_SELF}, {before}{'binding' if before else 'name'}: str) -> {result}", *first, string))
    return tuple(forms)


def _binding(engine: Any, binding: int | str, method: str) -> Binding | None:
    """Return a binding by number or name; report an error and return None if it does not exist."""
    io_binding = binding_named(engine, binding) if isinstance(binding, str) else binding_at(engine, binding)
    if io_binding is None:
        wrong_binding(engine, f"ICudaEngine::{method}", binding)
    return io_binding


def _question(
    successor: str,
    method: str,
    missing: Callable[[], Any],
    result: str,
    *,
    by_name: bool = False,
    argument: str = "index",
) -> Any:
    """Make a method that calls ``successor``, a query by name, for the tensor of a binding."""

    @bound(*_forms(result, by_name=by_name, argument=argument))
    @deprecated(successor)
    def ask(self: Any, binding: int | str) -> Any:
        io_binding = _binding(self, binding, method)
        return missing() if io_binding is None else getattr(self, successor)(io_binding.tensor)

    return ask


class EngineMembers:
    """The members of ``ICudaEngine`` in TensorRT 8.6 that version 10 lacks or changed."""

    num_bindings = attribute(deprecated("num_io_tensors")(lambda self: sum(1 for _ in bindings(self))))
    max_batch_size = attribute(
        deprecated("network created with NetworkDefinitionCreationFlag::EXPLICIT_BATCH flag")(
            lambda self: max(batches.greatest(self), 1)
        )
    )
    has_implicit_batch_dimension = attribute(lambda self: batches.greatest(self) > 0)
    device_memory_size = attribute(_device_memory_size)

    @bound(Overload(f"({_SELF}, name: str) -> Dims", string))
    def get_tensor_shape(self: Any, name: str) -> Dims:
        """Return the shape of an input or output, without an implicit batch."""
        return batches.of_an_item(self, _get_tensor_shape(self, name))

    get_binding_shape = _question("get_tensor_shape", "getBindingDimensions", no_dims, "Dims", by_name=True)
    get_binding_dtype = _question(
        "get_tensor_dtype", "getBindingDataType", lambda: DataType.FLOAT, "DataType", by_name=True
    )
    get_location = _question(
        "get_tensor_location", "getLocation", lambda: TensorLocation.DEVICE, "TensorLocation", by_name=True
    )
    get_binding_format = _question("get_tensor_format", "getBindingFormat", lambda: TensorFormat.LINEAR, "TensorFormat")
    get_binding_format_desc = _question("get_tensor_format_desc", "getBindingFormatDesc", str, "str")
    get_binding_bytes_per_component = _question(
        "get_tensor_bytes_per_component", "getBindingBytesPerComponent", lambda: -1, "int"
    )
    get_binding_components_per_element = _question(
        "get_tensor_components_per_element", "getBindingComponentsPerElement", lambda: -1, "int"
    )
    get_binding_vectorized_dim = _question("get_tensor_vectorized_dim", "getBindingVectorizedDim", lambda: -1, "int")

    def __len__(self: Any) -> int:
        """Return the number of bindings."""
        return sum(1 for _ in bindings(self))

    @bound(
        Overload(f"({_SELF}, arg0: str) -> int", string),
        Overload(f"({_SELF}, arg0: int) -> str", int32),
    )
    def __getitem__(self: Any, binding: int | str) -> int | str | None:
        """Return the number of the binding with a name, or the name of the binding with a number."""
        if isinstance(binding, str):
            return _index(self, binding)
        count = len(self)
        if binding >= count:
            raise IndexError("index < self.getNbBindings()")
        return _name(self, binding + count if binding < 0 else binding)

    @bound(*_forms("str"))
    @deprecated("get_tensor_name")
    def get_binding_name(self: Any, index: int) -> str | None:
        """Return the name of a binding, or None."""
        return _name(self, index)

    @bound(Overload(f"({_SELF}, name: str) -> int", string))
    @deprecated("get_tensor_name")
    def get_binding_index(self: Any, name: str) -> int:
        """Return the number of the binding with a name, or -1."""
        return _index(self, name)

    @bound(*_forms("bool", by_name=True))
    @deprecated("get_tensor_mode")
    def binding_is_input(self: Any, binding: int | str) -> bool:
        """Say whether a binding is an input."""
        io_binding = _binding(self, binding, "bindingIsInput")
        return io_binding is not None and bool(self.get_tensor_mode(io_binding.tensor) == TensorIOMode.INPUT)

    @bound(*_forms("bool", argument="binding"))
    @deprecated("get_tensor_location")
    def is_shape_binding(self: Any, binding: int) -> bool:
        """Say whether shape inference needs a binding's values."""
        io_binding = _binding(self, binding, "isShapeBinding")
        return io_binding is not None and bool(self.is_shape_inference_io(io_binding.tensor))

    @bound(*_forms("bool", argument="binding"))
    @deprecated("get_tensor_location")
    def is_execution_binding(self: Any, binding: int) -> bool:
        """Say whether the device uses a binding's memory."""
        io_binding = _binding(self, binding, "isExecutionBinding")
        return io_binding is not None and bool(self.get_tensor_location(io_binding.tensor) == TensorLocation.DEVICE)

    @bound(*_forms("List[Dims]", by_name=True, argument="binding", before="profile_index: int, "))
    @deprecated("get_tensor_profile_shape")
    def get_profile_shape(self: Any, profile: int, binding: int | str) -> list[Dims]:
        """Return the minimum, optimum and maximum shape of an input in a profile."""
        io_binding = _binding(self, binding, "getProfileDimensions")
        if io_binding is not None and io_binding.profile in (0, profile):
            shapes: list[Dims] = self.get_tensor_profile_shape(io_binding.tensor, profile)
            return shapes
        if io_binding is not None:
            why = f"binding {io_binding.index} belongs to profile {io_binding.profile}, not to profile {profile}"
            complain("ICudaEngine::getProfileDimensions", Refused(why), to=profiles.log_of(self))
        return [no_dims(), no_dims(), no_dims()]

    @bound(*_forms("List[List[int]]", by_name=True, argument="binding", before="profile_index: int, "))
    @deprecated("get_tensor_profile_shape")
    def get_profile_shape_input(self: Any, profile: int, binding: int | str) -> list[list[int]]:
        """Return the minimum, optimum and maximum values of a shape input in a profile; RuntimeError if it is none."""
        io_binding = _binding(self, binding, "getProfileShapeValues")
        if io_binding is None or not profiles.is_shape_input(self, io_binding.tensor):
            raise RuntimeError("Binding index does not correspond to an input shape tensor.")
        values: list[list[int]] = self.get_tensor_profile_values(profile, io_binding.tensor)
        return values

    @bound(Overload(f"({_SELF}) -> IExecutionContext"))
    def create_execution_context(self: Any) -> IExecutionContext | None:
        """Return a context, with profile 0 if no other context has it, otherwise without a profile."""
        return profiles.begun(self, _create_context(self))

    @bound(Overload(f"({_SELF}) -> IExecutionContext"))
    def create_execution_context_without_device_memory(self: Any) -> IExecutionContext | None:
        """Return a context like `create_execution_context`, whose memory the application provides."""
        return profiles.begun(self, _create_context(self, _USER_MANAGED))


def _name(engine: Any, index: int) -> str | None:
    binding = _binding(engine, index, "getBindingName")
    return None if binding is None else binding.name


def _index(engine: Any, name: str) -> int:
    binding = binding_named(engine, name)
    if binding is None:
        names = ", ".join(io_names(engine))
        why = Refused(f"there is no binding {name!r}; the tensors are {names}")
        complain("ICudaEngine::getBindingIndex", why, to=profiles.log_of(engine))
        return -1
    return binding.index
