"""Find functions of a module that define a plugin's ``impl`` when a program calls them.

NVIDIA's sample ``qdp_defs.py`` has two of them for one plugin. The import does not show which of them a program will
call.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from harness.contract.finding import NotRun
from harness.subject.creators import definition_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference_runtime.plugin.definitions import PluginDef

_DEFINING = {"impl", "aot_impl"}


def insist_on_what_runs(creator: Any) -> None:
    """Stop the rule if a decorated plugin has no implementation, and a function of its module would define one.

    Raises:
        NotRun: The module has functions like this; the message names them.
    """
    definition = definition_of(creator)
    if definition is None or definition.impl_func is not None or definition.aot_impl_func is not None:
        return
    if names := " or ".join(f"{name}()" for name in _switches(definition)):
        raise NotRun(
            f"a call of {names} defines what runs, and the import does not make it. "
            "Judge a program that calls it with --plugin-app, or call it in the module of the cases"
        )


def _switches(definition: PluginDef) -> Iterator[str]:
    """Yield the functions beside ``register`` that define ``impl`` or ``aot_impl`` for the plugin without arguments."""
    for name, value in definition.register_func.__globals__.items():
        if inspect.isfunction(value) and not inspect.signature(value).parameters:
            code = value.__code__
            if definition.plugin_id in code.co_consts and _DEFINING & set(code.co_names):
                yield name
