"""Read models from bytes and files, with the data that they keep in other files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reference_runtime.onnx.importing.status import ImportFailed, Status
from reference_runtime.operations.onnx.library import library
from reference_runtime.values.enums import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable

LOADING = "deserializeOnnxModel"
"""The function of NVIDIA's parser that reports bytes that are no model."""


def read_file(name: str, complain: Callable[[str], None]) -> bytes | None:
    """Return the content of a file; None, and an error, if it cannot be read."""
    path = Path(name)
    if path.exists() and not path.is_file():
        complain(f"Input is not a regular file: {name}")
        return None
    try:
        return path.read_bytes()
    except OSError:
        complain(f"Failed to parse ONNX model from file: {name}!")
        return None


def load(data: bytes, path: str | None) -> Any:
    """Return the model in the bytes, with its data in files beside ``path``; or raise `ImportFailed`."""
    decoding = library("external_data_helper")
    try:
        model = library().ModelProto.FromString(data)
        if path is not None:
            decoding.load_external_data_for_model(model, str(Path(path).parent))
        elif any(decoding.uses_external_data(tensor) for tensor in model.graph.initializer):
            raise ValueError("its weights are in other files, and no path was given")  # noqa: TRY301 - as other errors
    except Exception as error:
        first_line = (str(error).strip().splitlines() or [type(error).__name__])[0]
        why = f"Failed to parse the ONNX model. ({first_line})"
        raise ImportFailed(Status(ErrorCode.MODEL_DESERIALIZE_FAILED, why, LOADING)) from error
    return model
