"""Inject defects of tactics, of the id for the timing cache, and of the metadata."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import names_in

if TYPE_CHECKING:
    from harness.mutation.anatomy import Module
    from harness.mutation.change import Change


@operator("TAC-004", "TAC-005", "TAC-007", "TAC-013")
def tactic_ignored(module: Module) -> Iterator[Change]:
    """An object does not keep the tactic that it receives."""
    for function in module.functions("set_tactic"):
        for each in function.statements:
            if isinstance(each, ast.Assign):
                yield module.change(function, module.dropped(each))


@operator("TAC-008")
def unknown_tactic_taken(module: Module) -> Iterator[Change]:
    """A tactic that was never advertised is accepted."""
    for function in module.functions("set_tactic"):
        if any(module.functions("get_valid_tactics")):
            for guard in function.guards:
                yield module.change(function, module.dropped(guard))


@operator("TAC-004", "TAC-006")
def tactic_zero_refused(module: Module) -> Iterator[Change]:
    """Tactic 0, which means no tactics, is refused."""
    for function in module.functions("set_tactic"):
        if not any(module.functions("get_valid_tactics")):
            text = f'if {function.arguments[0]} == 0:\n    raise ValueError("there is no tactic 0")'
            yield module.change(function, module.begun(function, text))


@operator("TAC-007", "THR-009", "CLN-007")
def tactic_of_all_objects(module: Module) -> Iterator[Change]:
    """The tactic that an object receives becomes the tactic of all objects."""
    for function in module.functions("set_tactic"):
        for each in function.statements:
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Attribute) and function.owner:
                name = each.targets[0].attr
                uses = [
                    module.replaced(node, f"type(self).{name}")
                    for node in ast.walk(function.owner)
                    if isinstance(node, ast.Attribute) and node.attr == name and getattr(node.value, "id", "") == "self"
                ]
                yield module.change(function, *uses)


@operator("TAC-005", "TAC-004", "ENQ-010", spots=(Spot.REFERENCE,))
def one_tactic_wrong(module: Module) -> Iterator[Change]:
    """A step of the computation is left out for one of the tactics."""
    tactics = any(module.functions("get_valid_tactics"))
    for function in module.functions():
        if tactics and function.name.startswith("_") and "result" in function.arguments:
            for each in function.statements:
                if isinstance(each, ast.Expr) and isinstance(each.value, ast.Call):
                    yield module.change(function, module.dropped(each))


@operator("TAC-005", "ENQ-010", "TAC-004")
def tactic_condition_turned(module: Module) -> Iterator[Change]:
    """An execution computes by a tactic that differs from the tactic that it received."""
    for function in module.functions("enqueue"):
        for each in function.statements:
            if isinstance(each, ast.If) and each.orelse and any("tactic" in name for name in names_in(each.test)):
                yield module.change(function, module.replaced(each.test, f"not ({module.source(each.test)})"))


def _advertised(module: Module, form: str) -> Iterator[Change]:
    for function in module.functions("get_valid_tactics"):
        for _, value in function.returns:
            if not (isinstance(value, ast.List) and not value.elts):  # an empty list advertises no tactic
                yield module.change(function, module.replaced(value, form.format(module.source(value))))


@operator("TAC-001", "TAC-004")
def tactic_zero_advertised(module: Module) -> Iterator[Change]:
    """Tactic 0, which means no tactics, is advertised."""
    yield from _advertised(module, "[0, *{}]")


@operator("TAC-001", "TAC-009")
def tactic_advertised_twice(module: Module) -> Iterator[Change]:
    """The first tactic is advertised twice."""
    yield from _advertised(module, "[*{0}, ({0})[0]]")


@operator("TAC-002")
def tactics_as_a_tuple(module: Module) -> Iterator[Change]:
    """The tactics are returned as a tuple."""
    yield from _advertised(module, "tuple({})")


@operator("TAC-009", "TAC-012")
def tactics_in_another_order(module: Module) -> Iterator[Change]:
    """The order of the tactics changes each time that TensorRT asks."""
    for function in module.functions("get_valid_tactics"):
        for statement, value in function.returns:
            if isinstance(value, ast.List) and not value.elts:
                continue
            turn = 'self._turn = not self.__dict__.get("_turn", False)'
            text = f"{turn}\nfound = {module.source(value)}\nreturn found if self._turn else found[::-1]"
            yield module.change(function, module.replaced(statement, text))


@operator("TAC-013", "TAC-004", "CLN-002")
def tactics_not_taken_at_run_time(module: Module) -> Iterator[Change]:
    """An object accepts a tactic only if it was asked for its tactics before."""
    for function in module.functions("get_valid_tactics"):
        for other in module.functions("set_tactic"):
            check = 'if not self.__dict__.get("_advertised_tactics"):\n    raise ValueError("no tactics are known")'
            edits = module.begun(other, check), module.begun(function, "self._advertised_tactics = True")
            yield module.change(function, *edits)


@operator("TAC-010", "TAC-012", "CLN-005")
def cache_id_of_the_object(module: Module) -> Iterator[Change]:
    """The id for the timing cache differs from object to object."""
    yield from _in_init(module, "timing_cache_id", "str(id(self))")


@operator("TAC-012", spots=(Spot.SEVERAL_FIELDS,))
def one_cache_id_for_all(module: Module) -> Iterator[Change]:
    """Objects with different tactics have the same id for the timing cache."""
    yield from _in_init(module, "timing_cache_id", '"one"')


@operator("TAC-015")
def metadata_of_the_object(module: Module) -> Iterator[Change]:
    """The metadata differ from object to object."""
    yield from _in_init(module, "metadata_string", "str(id(self))")


def _in_init(module: Module, name: str, text: str) -> Iterator[Change]:
    for function in module.functions("__init__"):
        node = module.set_in_init(function.owner).get(name) if function.owner else None
        if node is not None:
            yield module.change(function, module.replaced(node.value, text))


@operator("TAC-010", "TAC-015")
def metadata_follow_the_shape(module: Module) -> Iterator[Change]:
    """Metadata and the id for the timing cache depend on the last shape."""
    for function in module.functions("configure_plugin", "on_shape_change"):
        owner = function.owner
        for name in ("timing_cache_id", "metadata_string") if owner else ():
            if owner is not None and name in module.set_in_init(owner):
                first = f"{function.arguments[0]}[0]"
                text = f"self.{name} += str(tuple(getattr({first}, 'desc', {first}).dims))"
                yield module.change(function, module.begun(function, text))
