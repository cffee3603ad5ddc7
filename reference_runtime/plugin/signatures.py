"""Check the signatures of decorated functions, and read their tensors, attributes, outputs and tactic."""

from __future__ import annotations

import inspect
import types
import typing
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from reference_runtime.plugin.combinations import AutoTuneCombination
from reference_runtime.plugin.launching import KernelLaunchParams
from reference_runtime.plugin.symbols import SymExprs
from reference_runtime.plugin.tensors import Tensor, TensorDesc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_EMPTY: Final = inspect.Parameter.empty
_NUMBERS: Final = (int, float, bytes, bool, str)
_DTYPES: Final = (
    np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64, bool, np.bool_,
)  # fmt: skip
_RESERVED: Final = ("", "trt", "tensorrt", "std")
_TAKEN: Final = ("outputs", "stream", "tactic")
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Registered(Struct, frozen=True):
    """The content of a ``register`` function's signature.

    ``kinds`` has for each attribute whether its type is built in, and that type or its elements' type. Arrays of a lazy
    registration have no entry, because their types may be known only at the first use.
    """

    tensors: tuple[str, ...]
    attributes: Mapping[str, Any]
    kinds: Mapping[str, tuple[bool, Any]]
    num_outputs: int


def check_identity(namespace: str, name: str) -> None:
    """Raise for a namespace or name that no plugin may have."""
    for kind, text in (("namespace", namespace), ("name", name)):
        if "." in text:
            where = f'trt.plugin.register("{namespace}::{name}", ...)'
            raise ValueError(f"Provided {kind} {text} cannot have any '.' in {where}")
    if namespace in _RESERVED:
        raise ValueError(f"Provided namespace {namespace} is a reserved namespace")


def is_array(annotation: Any) -> bool:
    """Say whether an annotation means a NumPy array.

    From NumPy 2.5 and Python 3.12 on, ``NDArray`` is a separate kind of alias, which TensorRT's package does not take.
    """
    return annotation is np.ndarray or typing.get_origin(annotation) in (np.ndarray, npt.NDArray)


def dtype_of(annotation: Any) -> Any:
    """Return the type of the elements that ``numpy.typing.NDArray[...]`` names."""
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is npt.NDArray:
        return arguments[0]
    named = typing.get_args(arguments[1]) if len(arguments) > 1 else ()
    if not named:
        raise AttributeError(
            "Improper annotation for numpy array. Annotate numpy array attributes using "
            "'numpy.typing.NDArray[dtype]', where 'dtype' is the expected numpy dtype of the array."
        )
    return named[0]


def registered(function: Callable[..., Any], *, lazily: bool) -> Registered:
    """Read the signature of a ``register`` function; raise ValueError or AttributeError if it is invalid."""
    signature = inspect.signature(function)
    tensors: list[str] = []
    attributes: dict[str, Any] = {}
    kinds: dict[str, tuple[bool, Any]] = {}
    for name, parameter in signature.parameters.items():
        _check_parameter(name, parameter)
        if not is_array(parameter.annotation) and issubclass(parameter.annotation, TensorDesc):
            if attributes:
                raise ValueError(
                    "TensorDescs args and attribute args cannot be interspersed. Received function with signature "
                    f"{signature}."
                )
            tensors.append(name)
            continue
        if not tensors:
            raise ValueError(
                "TensorDescs args should come first, followed by attributes. Received function with signature "
                f"{signature}."
            )
        kind = _kind(name, parameter.annotation, lazily=lazily)
        kinds.update({} if kind is None else {name: kind})
        attributes[name] = parameter.annotation
    return Registered(tuple(tensors), attributes, kinds, _num_outputs(signature))


def _check_parameter(name: str, parameter: inspect.Parameter) -> None:
    if parameter.kind not in _POSITIONAL:
        raise ValueError(f"Argument {name} is not a positional-or-keyword or keyword-only arg")
    if parameter.annotation is _EMPTY:
        raise ValueError(
            f"Argument {name} does not have a type annotation. Please mark as TensorDesc or one of the serializable "
            "attribute types."
        )
    if parameter.default is not _EMPTY:
        raise ValueError(f"Argument {name} has a default value. Default values are not supported yet.")


def _kind(name: str, annotation: Any, *, lazily: bool) -> tuple[bool, Any] | None:
    if name in _TAKEN:
        raise ValueError(f"'{name}' is not allowed as a plugin attribute name.")
    if annotation in _NUMBERS:
        return True, annotation
    if not is_array(annotation):
        raise ValueError(
            f"Attribute '{name}' of type {annotation} is not a supported serializable type. Supported types are "
            f"{_NUMBERS} or numpy arrays of type {_DTYPES}."
        )
    if lazily:
        return None
    if annotation is np.ndarray:
        raise ValueError(
            "If using non-lazy registration, annotate numpy array attributes using 'numpy.typing.NDArray[dtype]', "
            "where 'dtype' is the expected numpy dtype of the array."
        )
    dtype = dtype_of(annotation)
    if dtype not in _DTYPES:
        raise ValueError(
            f"Attribute '{name}' is not a supported numpy array type. Supported numpy arrays type are {_DTYPES}."
        )
    return False, dtype


def _num_outputs(signature: inspect.Signature) -> int:
    annotation = signature.return_annotation
    if annotation is _EMPTY:
        raise ValueError(f"No return annotation found for register function. Received signature {signature}.")
    listed = typing.get_origin(annotation) is tuple
    kinds = typing.get_args(annotation) if listed else (annotation,)
    if not all(inspect.isclass(kind) and issubclass(kind, TensorDesc) for kind in kinds):
        raise ValueError(
            f"Return argument is of type {annotation}. Return types can only be TensorDesc or Tuple[TensorDesc]."
        )
    return len(kinds)


def read_impl(function: Callable[..., Any], known: Registered) -> tuple[list[str], bool]:
    """Return the attributes that an ``impl`` takes, and whether it takes a tactic; raise ValueError if invalid."""
    signature = inspect.signature(function)
    attributes = _attributes(signature, known, "impl", Tensor, numbers=("stream", "tactic"))
    tactic = "tactic" in signature.parameters
    last = ["outputs", "stream", *(["tactic"] if tactic else [])]
    expected = _schema(known, attributes, last)
    if _shown(signature.parameters) != expected:
        raise ValueError(
            f"Signature of the impl function '{signature}' does not match the expected input arg schema: {expected}"
        )
    if signature.return_annotation not in (_EMPTY, None):
        raise ValueError("Return annotation should be None.")
    return attributes, tactic


def read_aot_impl(function: Callable[..., Any], known: Registered) -> list[str]:
    """Return the attributes that an ``aot_impl`` takes; raise ValueError for an invalid signature."""
    signature = inspect.signature(function)
    attributes = _attributes(signature, known, "aot_impl", TensorDesc, numbers=("tactic",))
    expected = _schema(known, attributes, ["outputs", "tactic"])
    if _shown(signature.parameters) != expected:
        raise ValueError(
            f"Signature of the aot_impl function '{signature}' does not match the expected input arg schema: {expected}"
        )
    _check_kernel(signature)
    return attributes


def read_autotune(function: Callable[..., Any], known: Registered) -> list[str]:
    """Return the attributes that an ``autotune`` takes; raise ValueError for an invalid signature."""
    signature = inspect.signature(function)
    attributes = _attributes(signature, known, "autotune", TensorDesc, numbers=())
    expected = _schema(known, attributes, ["outputs"])
    if _shown(signature.parameters) != expected:
        raise ValueError(
            f"Specified autotune function signature {signature} is not consistent with the expected input arg schema "
            f"{expected}."
        )
    annotation = signature.return_annotation
    if annotation is not _EMPTY:
        kinds = typing.get_args(annotation) if typing.get_origin(annotation) is list else (annotation,)
        if not all(inspect.isclass(kind) and issubclass(kind, AutoTuneCombination) for kind in kinds):
            raise ValueError(
                f"Return argument is of type {annotation}. Return types can only be AutoTuneCombination or "
                "List[AutoTuneCombination]."
            )
    return attributes


def _attributes(
    signature: inspect.Signature, known: Registered, what: str, tensor: type, *, numbers: Iterable[str]
) -> list[str]:
    """Return the attributes among the parameters; an annotation must match that of ``register``, or be left out."""
    names = []
    for name, parameter in signature.parameters.items():
        annotation = parameter.annotation
        if annotation is _EMPTY:
            names += [name] if name in known.attributes else []
        elif name == "outputs":
            _check_outputs(annotation, tensor, "s" if what == "autotune" else "")
        elif name in numbers:
            if not issubclass(annotation, int):
                raise ValueError(f"'{name}' input argument should be an int")
        elif not is_array(annotation) and issubclass(annotation, tensor):
            if name not in known.tensors:
                raise ValueError(
                    f"Unexpected tensor '{name}' specified in autotune function. Expected one of {list(known.tensors)}."
                )
        else:
            _check_attribute(name, annotation, known, what)
            names.append(name)
    return names


def _check_outputs(annotation: Any, tensor: type, plural: str) -> None:
    kind = tensor.__name__
    if typing.get_origin(annotation) is not tuple:
        raise ValueError(f"'outputs' should be of type Tuple[{kind}]. Received {annotation}.")
    if not all(issubclass(each, tensor) for each in typing.get_args(annotation)):
        raise ValueError(
            f"Argument for receiving output {kind}{plural}, 'outputs' contains a {annotation}. 'outputs' should be a "
            f"Tuple[{kind}]."
        )


def _check_attribute(name: str, annotation: Any, known: Registered, what: str) -> None:
    if name not in known.attributes:
        raise ValueError(
            f"Unexpected attribute '{name}' specified in {what} function. Expected one of {list(known.attributes)}."
        )
    if annotation != known.attributes[name]:
        raise ValueError(
            f"Attribute '{name}' has a type annotation different from the one specified at registration. Expected "
            f"'{known.attributes[name]}'."
        )


def _check_kernel(signature: inspect.Signature) -> None:
    """Raise ValueError unless the return annotation of an ``aot_impl`` is a name, image, launch and arguments."""
    annotation = signature.return_annotation
    if annotation is _EMPTY:
        raise ValueError(f"No return annotation found for aot_impl function. Received signature {signature}.")
    parts = typing.get_args(annotation) if typing.get_origin(annotation) is tuple else ()
    if len(parts) != len(("name", "image", "launch", "arguments")):
        raise ValueError(
            f"Return annotation is {annotation}. Expected tuple[str | bytes, str | bytes, "
            "tensorrt.plugin.KernelLaunchParams, tensorrt.plugin.SymIntExprs]."
        )
    for place, part in enumerate(parts[:2]):
        for kind in typing.get_args(part) if typing.get_origin(part) in (typing.Union, types.UnionType) else (part,):
            if kind not in (str, bytes):
                raise ValueError(f"Return annotation for argument at {place} is '{kind}'. Expected 'str' or 'bytes'.")
    if not issubclass(parts[2], KernelLaunchParams):
        raise ValueError(
            f"Argument at index 2 of return annotation is '{parts[2]}'. Expected 'tensorrt.plugin.KernelLaunchParams'."
        )
    if not issubclass(parts[3], SymExprs):
        raise ValueError(
            f"Argument at index 3 of return annotation is '{parts[3]}'. Expected a descendent of "
            "tensorrt.plugin.SymExprs."
        )


def _schema(known: Registered, attributes: Iterable[str], last: Iterable[str]) -> str:
    return _shown([*known.tensors, *(name for name in known.attributes if name in attributes), *last])


def _shown(names: Iterable[str]) -> str:
    return f"({', '.join(names)})"
