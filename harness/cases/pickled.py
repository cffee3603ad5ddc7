"""Send cases that a caller made in memory to the worker process.

The worker is a separate process, so functions of cases must travel. Python's ``pickle`` carries a function by the name
of its module alone, which the worker may be unable to import. The package cloudpickle carries the function itself, with
the values that it uses. Only the worker unpickles, and it unpickles only what the caller's process pickled. The caller
never unpickles what comes from a worker.
"""

from __future__ import annotations

import base64
import contextlib
import pickle
import sys
import sysconfig
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.cases.case import Case, CaseError

_INSTEAD = "write the cases as PLUGIN_CASES into a file and pass its path"


def packed(cases: Sequence[Case]) -> str:
    """Return cases as text that JSON can hold; the empty string for none.

    Raises:
        CaseError: A case holds something that cannot be carried over, or cloudpickle is needed and not installed.
    """
    if not cases:
        return ""
    values = (entry.values for case in cases for entry in case.inputs)
    others = (each for case in cases for each in (case.valid, case.reference, *case.stand_ins.values()))
    functions = [*filter(callable, others), *filter(callable, values)]
    try:
        data = _with_functions(cases, functions) if functions else pickle.dumps(list(cases))
    except CaseError:
        raise
    except Exception as error:  # whatever the values of the caller raise when they are pickled
        raise CaseError(f"the cases cannot be carried into the plugin's process ({error}): {_INSTEAD}") from error
    return base64.b64encode(data).decode()


def unpacked(text: str) -> list[Case]:
    """Return the cases that :func:`packed` packed; called in the child."""
    cases: list[Case] = pickle.loads(base64.b64decode(text)) if text else []  # noqa: S301 - the caller's own process packed it
    return cases


def _with_functions(cases: Sequence[Case], functions: Sequence[Any]) -> bytes:
    try:
        import cloudpickle  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise CaseError(
            "a case holds a function, which only cloudpickle can carry into the plugin's process: "
            f"pip install cloudpickle, or {_INSTEAD}"
        ) from error
    with contextlib.ExitStack() as stack:
        registered = cloudpickle.list_registry_pickle_by_value()
        for module in _own_modules(functions):
            if module.__name__ not in registered:
                cloudpickle.register_pickle_by_value(module)
                stack.callback(cloudpickle.unregister_pickle_by_value, module)
        data: bytes = cloudpickle.dumps(list(cases))
        return data


def _own_modules(functions: Sequence[Any]) -> list[types.ModuleType]:
    """The modules of functions that the caller wrote: the child may not be able to import them, or must not."""
    names = {function.__module__ for function in functions if isinstance(function, types.FunctionType)}
    homes = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found = (sys.modules.get(name) for name in sorted(names - {"__main__"}))
    files = ((module, getattr(module, "__file__", None)) for module in found if module is not None)
    return [
        module for module, file in files if file is None or not any(Path(file).is_relative_to(home) for home in homes)
    ]
