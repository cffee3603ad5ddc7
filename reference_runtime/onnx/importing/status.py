"""The errors of reading a model, as the parser reports them."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from reference_runtime.values.enums import ErrorCode, ErrorCodeTRT

_WITHOUT_NODE: Final = ("MODEL_DESERIALIZE_FAILED", "REFIT_FAILED")
_RECORDED: Final = {"INTERNAL_ERROR": "INTERNAL_ERROR", "MEM_ALLOC_FAILED": "FAILED_ALLOCATION"}


class Status(Struct, frozen=True):
    """One error: its code and text, the function of NVIDIA's parser that reports it, and its node, if any."""

    code: ErrorCode
    desc: str
    func: str
    file: str = "ModelImporter.cpp"
    node: int = -1
    node_name: str = ""
    node_operator: str = ""
    stack: tuple[str, ...] = ()
    """The local functions around the node, the outermost first."""

    def __str__(self) -> str:
        """Return the error in the parser's words."""
        what = f"({self.func}): {self.code.name}: {self.desc}"
        if self.code.name in _WITHOUT_NODE:
            return what
        return f"In node {self.node} with name: {self.node_name} and operator: {self.node_operator} {what}"

    @property
    def recorded(self) -> ErrorCodeTRT:
        """The code that an error recorder gets."""
        kind = "UNSUPPORTED_STATE" if self.code.name.startswith("UNSUPPORTED") else "INVALID_ARGUMENT"
        code: ErrorCodeTRT = ErrorCodeTRT.__members__[_RECORDED.get(self.code.name, kind)]
        return code


class ImportFailed(Exception):  # noqa: N818 - it becomes an error of the parser
    """The import ends with the error ``status``."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status
