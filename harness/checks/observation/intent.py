"""Distinguish an exception that a user's code raises on purpose from an accidental exception."""

from __future__ import annotations

import dis
import sys

from harness.contract.own_names import own

#: Packages whose ``raise`` statements do not count as the user's.
_LIBRARIES = frozenset({"numpy", "cupy", "tensorrt", "torch", "numba", "reference_runtime", own("harness")})


def is_deliberate(error: BaseException) -> bool:
    """Return whether a ``raise`` or ``assert`` statement in the user's code raised the exception."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return False
    package = str(last.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
    if package in _LIBRARIES or package in sys.stdlib_module_names:
        return False
    instructions = {each.offset: each.opname for each in dis.get_instructions(last.tb_frame.f_code)}
    return instructions.get(last.tb_lasti) == "RAISE_VARARGS"
