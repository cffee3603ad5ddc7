"""Inject defects of clones, and of plugins attached to a context."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.anatomy import is_own
from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import changes_later, namespace_arguments, parameter_arguments

if TYPE_CHECKING:
    from harness.mutation.anatomy import Function, Module
    from harness.mutation.change import Change


def _clones(module: Module) -> Iterator[tuple[Function, ast.Return, ast.Call]]:
    """Yield each ``return`` of a call in ``clone`` methods, with the method and the call."""
    for function in module.functions("clone"):
        for statement, value in function.returns:
            if isinstance(value, ast.Call):
                yield function, statement, value


def _made(module: Module, call: ast.Call, *lines: str) -> tuple[str, ...]:
    return (f"made = {module.source(call)}", *lines, "return made")


@operator("CLN-002", "CLN-006", spots=(Spot.FIELDS, Spot.SEVERAL_FIELDS))
def parameter_not_cloned(module: Module) -> Iterator[Change]:
    """A clone has an empty value in place of one of its source's parameters."""
    for function, _, call in _clones(module):
        for argument in parameter_arguments(call):
            yield module.change(function, module.replaced(argument, f"type({module.source(argument)})()"))


@operator("CLN-002", "CLN-010", "CLN-016", spots=(Spot.FIELDS,))
def attribute_lost_by_clone(module: Module) -> Iterator[Change]:
    """One attribute of a clone is None instead of its source's value."""
    for function, statement, call in _clones(module):
        for name in module.attributes(function.owner) if function.owner else ():
            yield module.change(
                function, module.replaced(statement, "\n".join(_made(module, call, f"made.{name} = None")))
            )


@operator(
    "CLN-002", "CLN-004", "CLN-010", "CLN-005", "ID-014", "ID-013", "ID-003"
)  # the last four rules report a lost namespace
def copied_attribute_dropped(module: Module) -> Iterator[Change]:
    """A clone, or an attached object, lacks an attribute that is copied from its source."""
    for function in module.functions("clone", "attach_to_context"):
        for each in function.statements:
            if isinstance(each, ast.Assign) and is_own(each.value) and isinstance(each.targets[0], ast.Attribute):
                yield module.change(function, module.dropped(each))


@operator("CLN-005", "ID-014", "ID-013", "ID-003")
def clone_without_namespace(module: Module) -> Iterator[Change]:
    """A clone lacks its source's namespace."""
    for function, _, call in _clones(module):
        for argument in namespace_arguments(call):
            yield module.change(function, module.replaced(argument, '""'))


@operator("CLN-005", "ID-006")
def clone_of_another_version(module: Module) -> Iterator[Change]:
    """A clone's version differs from its source's version."""
    for function, statement, call in _clones(module):
        lines = _made(module, call, 'made.plugin_version += "1"')
        yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-005", "ID-008")
def clone_with_more_outputs(module: Module) -> Iterator[Change]:
    """A clone reports one output more than its source."""
    for function, statement, call in _clones(module):
        lines = _made(module, call, "made.num_outputs = self.num_outputs + 1")
        yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-001")
def clone_is_its_source(module: Module) -> Iterator[Change]:
    """``clone`` returns the object itself."""
    for function, _, call in _clones(module):
        yield module.change(function, module.replaced(call, "self"))


@operator("CLN-001")
def clone_made_once(module: Module) -> Iterator[Change]:
    """``clone`` returns the first clone each time."""
    for function, statement, call in _clones(module):
        made = f'if getattr(self, "_clone", None) is None:\n    self._clone = {module.source(call)}\nreturn self._clone'
        yield module.change(function, module.replaced(statement, made))


@operator("CLN-007", "CLN-015", "THR-003", "CLN-008", "TAC-007", spots=(Spot.DYNAMIC,))
def clone_shares_state(module: Module) -> Iterator[Change]:
    """A clone shares all attributes with its source, also attributes that change later."""
    for function, statement, call in _clones(module):
        if changes_later(function):
            lines = _made(module, call, "made.__dict__ = self.__dict__")
            yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-011")
def clone_of_another_class(module: Module) -> Iterator[Change]:
    """A clone is of a class derived for it, and not of its source's class."""
    for function, statement, call in _clones(module):
        lines = _made(module, call, 'made.__class__ = type("Clone", (type(made),), {})')
        yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-009", spots=(Spot.FIELDS,))
def source_emptied_by_clone(module: Module) -> Iterator[Change]:
    """Cloning resets one of the source's own parameters."""
    for function, statement, call in _clones(module):
        for argument in parameter_arguments(call):
            text = module.source(argument)
            lines = _made(
                module, call, f"{text} = {text} * 0 if isinstance({text}, (int, float, np.ndarray)) else None"
            )
            yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-012")
def clone_takes_memory(module: Module) -> Iterator[Change]:
    """Each clone takes device memory when it is made."""
    for function, statement, call in _clones(module):
        lines = _made(module, call, "made._scratch = cp.empty(1024, np.float32)")
        yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-012")
def clone_reads_a_file(module: Module) -> Iterator[Change]:
    """Each clone reads a file."""
    for function, statement, call in _clones(module):
        lines = _made(module, call, 'with open(__file__, "rb") as file:\n    made._text = file.read()')
        yield module.change(function, module.replaced(statement, "\n".join(lines)))


@operator("CLN-006", "CLN-016")
def clone_gives_nothing(module: Module) -> Iterator[Change]:
    """``clone`` creates the new object and does not return it."""
    for function, statement, call in _clones(module):
        yield module.change(function, module.replaced(statement, module.source(call)))


@operator("CLN-013")
def attached_is_the_plugin_itself(module: Module) -> Iterator[Change]:
    """``attach_to_context`` returns the object itself, so that contexts share it."""
    for function in module.functions("attach_to_context"):
        for _, value in function.returns:
            if function.owner is not None and not (isinstance(value, ast.Name) and value.id == "self"):
                yield module.change(function, module.replaced(value, "self"))


@operator("CLN-015", "CLN-013", "CLN-001")
def contexts_share_a_clone(module: Module) -> Iterator[Change]:
    """All contexts of an engine receive the clone of the first context."""
    for function in module.functions("attach_to_context"):
        for statement, value in function.returns:
            text = f'if getattr(self, "_attached", None) is None:\n    self._attached = {module.source(value)}'
            yield module.change(function, module.replaced(statement, f"{text}\nreturn self._attached"))


@operator("DST-008", "DST-006", "CLN-015")
def attached_kept_alive(module: Module) -> Iterator[Change]:
    """The engine's object keeps each object that was attached to a context."""
    for function in module.functions("attach_to_context"):
        for statement, value in function.returns:
            kept = f'attached = {module.source(value)}\nself.__dict__.setdefault("_attached", []).append(attached)'
            yield module.change(function, module.replaced(statement, f"{kept}\nreturn attached"))
