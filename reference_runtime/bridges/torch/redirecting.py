"""Redirect each call of torch: the CPU replaces a CUDA device, and work on the device is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reference_runtime.bridges.torch.streams import current_stream
from reference_runtime.devices import host

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from reference_runtime.bridges.torch.tensors import Tensors

__all__ = ["Redirection"]

_FROM_OTHERS: Final = frozenset({"as_tensor", "asarray", "tensor", "from_dlpack"})
#: Calls that pass an array's address on to CUDA, which finds out whether it is a device address. Observed with torch
#: 2.11 on an H100: a NumPy array over device memory is copied, too.
_UNREAD: Final = frozenset({"as_tensor", "asarray"})
_WAITS: Final = frozenset(
    {"__bool__", "__float__", "__index__", "__int__", "cpu", "item", "nonzero", "tolist", "unique"}
)


class Redirection:
    """Runs torch's calls for CUDA on the CPU."""

    def __init__(self, torch: ModuleType, tensors: Tensors) -> None:
        self._torch = torch
        self._tensors = tensors
        tensor = torch.Tensor
        self._answers: dict[Any, Callable[[Any], Any]] = {
            tensor.is_cuda.__get__: lambda _: True,
            tensor.is_cpu.__get__: lambda _: False,
            tensor.device.__get__: lambda _: torch.device("cuda", 0),
            tensor.get_device: lambda _: 0,
            tensor.__cuda_array_interface__.__get__: tensors.interface,
            tensor.data_ptr: tensors.address,
            tensor.numpy: _refuse_numpy,
            tensor.__array__: _refuse_numpy,
        }

    def call(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return the result of a function of torch, with the CPU in place of a CUDA device."""
        name = getattr(function, "__name__", "")
        if args and self._tensors.is_marked(args[0]) and function in self._answers:
            return self._answers[function](args[0])
        if name in _FROM_OTHERS and args and self._is_of_others(args[0]):
            tensor = self._tensors.over(args[0])
            return self._tensors.mark(tensor.clone()) if name == "tensor" else tensor
        target = "cuda" if name == "cuda" else "cpu" if name == "cpu" else self._target(name, args, kwargs)
        if target == "cuda" and name in _UNREAD and args and self._is_over_the_device(args[0]):
            return self._moved("to", target, (self._torch.from_numpy(args[0]), target), {"dtype": kwargs.get("dtype")})
        if target is not None and args and isinstance(args[0], self._torch.Tensor) and name in {"to", "cuda", "cpu"}:
            return self._moved(name, target, args, kwargs)
        result = self._recorded(name, function, args, {**kwargs, **({"device": "cpu"} if "device" in kwargs else {})})
        if target == "cuda" or any(map(self._tensors.is_marked, self._tensors.among((args, kwargs)))):
            for each in self._tensors.among(result):
                self._tensors.mark(each)
        return result

    def _is_of_others(self, value: Any) -> bool:
        """Return whether a value is a device array of a library that is not torch."""
        return not isinstance(value, self._torch.Tensor) and hasattr(value, "__cuda_array_interface__")

    @staticmethod
    def _is_over_the_device(value: Any) -> bool:
        """Return whether a value is a NumPy array over device memory, which the CPU cannot read."""
        return isinstance(value, np.ndarray) and value.size > 0 and host.is_device_address(value.ctypes.data)

    def _target(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str | None:
        """Return the type of the device that a call names, such as ``cuda``; None if it names no device."""
        named = [kwargs.get("device"), *(arg for arg in args if isinstance(arg, self._torch.device))]
        named += [arg for arg in args[1:2] if name == "to" and isinstance(arg, str)]
        return next((str(self._torch.device(each).type) for each in named if each is not None), None)

    def _moved(self, name: str, target: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return a tensor on the target, host or device; a tensor that is already there is not copied.

        The other arguments of ``to``, such as the type, keep their effect.
        """
        tensor, is_there = args[0], self._tensors.is_marked(args[0])
        if target == "cuda" and not is_there and host.is_device_address(tensor.data_ptr()):
            tensor = self._tensors.over(_Described(tensor.numpy().__array_interface__))
            tensor = self._tensors.mark(self._recorded(target, self._torch.clone, (tensor,), {}))
            is_there = True
        others = [arg for arg in args[1:] if not isinstance(arg, (str, self._torch.device))] if name == "to" else []
        options = {key: value for key, value in kwargs.items() if key != "device"} if name == "to" else {}
        if others or options.get("dtype") is not None:
            tensor = tensor.to(*others, **options)
        if (target == "cuda") == is_there:
            return self._tensors.mark(tensor) if is_there else tensor
        copied = self._recorded(target, self._torch.clone, (tensor,), {})
        return self._tensors.mark(copied) if target == "cuda" else copied

    def _recorded(self, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Return a function's result, and record its accesses to memory of the device on the current stream."""
        arguments = list(self._tensors.among((args, kwargs)))
        memories = [memory for each in arguments if (memory := self._tensors.memory(each)) is not None]
        stream = current_stream().cuda_stream
        if name in _WAITS and any(map(self._tensors.is_marked, arguments)):
            host.current_device().synchronize(f"torch: {name}", host.stream_at(stream))
        if not memories:
            return function(*args, **kwargs)
        before = [bytes(host.locate(each.address, each.nbytes)) for each in memories]
        result = function(*args, **kwargs)
        results = list(self._tensors.among(result))
        changed = [
            bytes(host.locate(each.address, each.nbytes)) != old for each, old in zip(memories, before, strict=True)
        ]
        if any(changed) or name in _WAITS or (results and not self._tensors.share_storage(results, arguments)):
            for each, has_changed in zip(memories, changed, strict=True):
                host.note(each.address, each.nbytes, "write" if has_changed else "read", stream)
        return result


class _Described:
    """An object with the CUDA array interface of some device memory."""

    def __init__(self, interface: dict[str, Any]) -> None:
        self.__cuda_array_interface__ = interface


def _refuse_numpy(_: Any) -> Any:
    raise TypeError(
        "can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."
    )
