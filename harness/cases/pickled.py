"""Send cases that exist only in the caller's memory to the worker process.

Cases can contain functions. Python's ``pickle`` stores only the name of a function and of its module. The worker may be
unable to import that module. The package cloudpickle stores the function itself, with the values that it uses.
Only the worker process unpickles, and only data that the caller's process pickled. The caller never unpickles data from
a worker.
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
        CaseError: A case holds a value that cannot be pickled, or a function while cloudpickle is not installed.
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
    except Exception as error:  # pickling runs code of the caller's values, which may raise anything
        raise CaseError(f"the cases cannot be carried into the plugin's process ({error}): {_INSTEAD}") from error
    return base64.b64encode(data).decode()


def unpacked(text: str) -> list[Case]:
    """Return the cases that :func:`packed` packed; called in the worker process."""
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
    """Return the functions' modules that are not installed packages: the worker may be unable to import them.

    Functions of ``__main__`` need no entry: cloudpickle always stores them themselves.
    """
    names = {function.__module__ for function in functions if isinstance(function, types.FunctionType)}
    homes = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    modules = (sys.modules.get(name) for name in sorted(names - {"__main__"}))
    files = ((module, getattr(module, "__file__", None)) for module in modules if module is not None)
    return [
        module for module, file in files if file is None or not any(Path(file).is_relative_to(home) for home in homes)
    ]
