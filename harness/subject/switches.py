"""Find functions of a module that define ``impl`` when a program calls them: the program chooses what runs.

NVIDIA's sample ``qdp_defs.py`` has two for one plugin. A program that loads an engine can call them, too, so the import
alone does not show what runs.
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
    """Stop the rule if only a call of a function of the module would define what runs.

    Raises:
        NotRun: That is so; the message names the functions.
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
    """The functions beside ``register`` that define ``impl`` or ``aot_impl`` for the plugin, and need no argument."""
    for name, value in definition.register_func.__globals__.items():
        if inspect.isfunction(value) and not inspect.signature(value).parameters:
            code = value.__code__
            if definition.plugin_id in code.co_consts and _DEFINING & set(code.co_names):
                yield name
