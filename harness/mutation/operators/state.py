"""Inject state in the wrong place: in the class, the module, the creator or the surroundings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from harness.mutation.anatomy import Role, is_own
from harness.mutation.kind import Spot, operator
from harness.mutation.operators.phrases import CONFIGURES, RUNS

if TYPE_CHECKING:
    from harness.mutation.anatomy import Module
    from harness.mutation.change import Change, Edit

_SHARED = ("THR-009", "CRE-004", "CLN-007", "CRE-013", "THR-003", "THR-007", "TAC-007")


def _moved(module: Module, form: str) -> Iterator[tuple[ast.ClassDef, list[Edit]]]:
    """Yield, for each attribute of a plugin, its class and the edits that replace each use of it by ``form``."""
    for owner, role in module.classes.values():
        for name in module.attributes(owner) if role is Role.PLUGIN else ():
            uses = [node for node in ast.walk(owner) if is_own(node, name)]
            inside = {
                id(node) for text in ast.walk(owner) if isinstance(text, ast.JoinedStr) for node in ast.walk(text)
            }
            if not any(id(node) in inside for node in uses):
                yield owner, [module.replaced(node, form.format(name=name)) for node in uses]


@operator(*_SHARED, "ENQ-021", spots=(Spot.SEVERAL_FIELDS, Spot.FIELDS))
def attribute_of_the_class(module: Module) -> Iterator[Change]:
    """An attribute of an object moves to its class, which all objects share."""
    for owner, edits in _moved(module, "self.__class__.{name}"):
        yield module.change_of_class(owner, *edits)


@operator(*_SHARED, "ENQ-021", spots=(Spot.SEVERAL_FIELDS, Spot.FIELDS))
def attribute_of_the_module(module: Module) -> Iterator[Change]:
    """An attribute of an object becomes a global of the module, which all objects share."""
    for owner, edits in _moved(module, 'globals()["_of_all_{name}"]'):
        yield module.change_of_class(owner, *edits)


@operator("ENQ-021", "CFG-007", "SER-015", "THR-009")
def build_needed_by_execution(module: Module) -> Iterator[Change]:
    """The execution reads data from the module that only the configuration for a build writes."""
    for function in module.functions("configure_plugin", "get_output_dimensions", "get_output_shapes"):
        for run in module.functions("enqueue"):
            if run.owner is function.owner and run.owner is not None:
                read = module.begun(run, '_, *_ = globals()["_built"]')
                keep = module.begun(function, 'globals()["_built"] = [True]')
                yield module.change(function, read, keep)


@operator("THR-009", "THR-003", "CRE-004", "CFG-007", "CLN-007", "CLN-015", spots=(Spot.DYNAMIC,))
def rows_kept_in_the_module(module: Module) -> Iterator[Change]:
    """The last change of shapes is kept in the module, and decides how much is computed."""
    for function in module.functions("on_shape_change", "configure_plugin"):
        for run in module.functions("enqueue"):
            if run.owner is function.owner and run.owner is not None:
                known = 'globals().get("_dims", tuple(input_desc[0].dims))'
                read = f"if {known} != tuple(input_desc[0].dims):\n    return"
                first = f"{function.arguments[0]}[0]"
                keep = f'globals()["_dims"] = tuple(getattr({first}, "desc", {first}).dims)'
                yield module.change(function, module.begun(run, read), module.begun(function, keep))


@operator("CRE-013", "CRE-004", "THR-007", spots=(Spot.SEVERAL_FIELDS,))
def creator_remembers_fields(module: Module) -> Iterator[Change]:
    """A creator takes a missing field from the plugin that it made before."""
    for function in module.functions("create_plugin", role=Role.CREATOR):
        fields = function.arguments[1] if len(function.arguments) > 1 else ""
        table = 'self.__dict__.setdefault("_given", {})'
        if fields:
            lines = (
                f"{table}.update((each.name, each) for each in {fields})",
                f"{fields} = list({table}.values())",
            )
            yield module.change(function, module.begun(function, *lines))


@operator("THR-001", "THR-009", "FMT-002")
def query_result_passed_through_the_module(module: Module) -> Iterator[Change]:
    """A query leaves its answer in the module and reads it again, while another thread may ask."""
    for function in module.functions("supports_format_combination"):
        for statement, value in function.returns:
            if not isinstance(value, ast.Constant):
                text = f'globals()["_answer"] = {module.source(value)}\nsum(range(200))\nreturn globals()["_answer"]'
                yield module.change(function, module.replaced(statement, text))


@operator("SER-016")
def surroundings_decide(module: Module) -> Iterator[Change]:
    """A hash of a text, which differs from process to process, decides what the execution does."""
    for function in module.functions(*RUNS):
        if function.owner is not None:
            yield module.change(function, module.begun(function, 'if hash("rows") % 2:\n    return'))


@operator("CFG-006")
def configuration_returns_something(module: Module) -> Iterator[Change]:
    """The configuration of version 3 returns True, although TensorRT ignores the result."""
    for function in module.functions(*CONFIGURES) if any(module.functions("get_fields_to_serialize")) else ():
        yield module.change(function, module.after(function.node.body[-1], "return True"))
