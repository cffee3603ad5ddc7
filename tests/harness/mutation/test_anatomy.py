"""Classes are told by their part, and edits change what they name, wherever it stands."""

import ast

import pytest

from harness.mutation.anatomy import Module, Role
from tests.support.mutation.sources import V2, V3

NESTED = """\
class Base(trt.IPluginV2Ext):
    pass


class Derived(Base):
    def clone(self):
        \"\"\"Say so.\"\"\"
        return Derived(  # ä
            1,
        )


class Creator:
    def create_plugin(self, name, fields):
        return Derived()


class Helper:
    pass


@trtp.impl("x::y")
def compute(first, stream):
    pass
"""


def roles(text):
    return {name: role for name, (_, role) in Module(text).classes.items()}


def test_classes_are_told_by_their_bases_and_methods():
    assert roles(NESTED) == {
        "Base": Role.PLUGIN,
        "Derived": Role.PLUGIN,
        "Creator": Role.CREATOR,
        "Helper": Role.OTHER,
    }
    assert roles(V3)["Table"] is Role.RESOURCE
    assert roles(V2) == {"Scale": Role.PLUGIN, "ScaleCreator": Role.CREATOR}


def test_a_decorated_function_takes_the_place_of_its_callback():
    (found,) = Module(NESTED).functions("enqueue")
    assert (found.place, found.owner, found.arguments) == ("compute", None, ["first", "stream"])


def changed(text, name, edit):
    module = Module(text)
    (function,) = module.functions(name)
    return module.change(function, edit(module, function)).applied(text)


@pytest.mark.parametrize(
    ("edit", "body"),
    [
        (lambda module, function: module.dropped(function.body[0]), ["pass"]),
        (lambda module, function: module.begun(function, "a = 1"), ["a = 1", "return Derived(1)"]),
        (
            lambda module, function: module.before(function.body[0], "if a:\n    b()"),
            ["if a:\n    b()", "return Derived(1)"],
        ),
        (lambda module, function: module.after(function.body[0], "c()"), ["return Derived(1)", "c()"]),
        (lambda module, function: module.instead(function, "d()"), ["d()"]),
    ],
)
def test_an_edit_changes_what_it_names(edit, body):
    tree = ast.parse(changed(NESTED, "clone", edit))
    clone = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "clone")
    statements = clone.body[1:] if ast.get_docstring(clone) else clone.body
    assert [ast.unparse(each) for each in statements] == body


def test_attributes_are_those_of_init_that_tensorrt_does_not_have():
    module = Module(V2)
    assert [*module.attributes(module.classes["Scale"][0])] == ["factor", "shift", "buffer"]


def test_tabs_stay_tabs():
    text = "class P(trt.IPluginV2):\n\tdef clone(self):\n\t\treturn P()\n"
    assert "\n\t\ta = 1\n\t\treturn P()\n" in changed(
        text, "clone", lambda module, function: module.begun(function, "a = 1")
    )
