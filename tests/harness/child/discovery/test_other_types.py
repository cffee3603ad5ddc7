"""Types are added to all inputs of a type, or to some of them."""

from harness.cases.case import Case
from harness.cases.input import Input
from harness.child.discovery.attempts import _STAGES, Attempt
from harness.child.discovery.other_types import with_other_types

KINDS = ("float32", "float16", "int32", "int64", "int8")


class Takes:
    """Attempts with a plugin that takes some combinations of types."""

    def __init__(self, *combinations):
        self.combinations = combinations

    def with_case(self, case):
        types = tuple(each.types[0] for each in case.inputs)
        return Attempt(case, len(_STAGES) - 1 if types in self.combinations else 0)

    def types_taken(self, case, types):
        """Return the first type for each input that fits those before."""
        taken = ()
        for _ in case.data_inputs:
            heads = {each[: len(taken) + 1] for each in self.combinations}
            taken += next(((kind,) for kind in types if (*taken, kind) in heads), ())
        return taken if len(taken) == len(case.data_inputs) else ()


def types_of(attempts, *first):
    inputs = tuple({"dims": (2,), "types": (kind,)} for kind in first)
    case = Case(plugin="P", inputs=tuple(Input(**each) for each in inputs))
    return [each.types for each in with_other_types(attempts, case, KINDS).inputs]


def test_inputs_of_one_type_change_together():
    takes = Takes(("float16", "float16"))
    assert types_of(takes, "float32", "float32") == [("float32", "float16")] * 2


def test_one_of_them_changes_alone_where_the_other_may_not():
    takes = Takes(("float16", "float32"))
    assert types_of(takes, "float32", "float32") == [("float32", "float16"), ("float32",)]


def test_some_of_them_change_together():
    takes = Takes(("float16", "float16", "float32"))
    assert types_of(takes, "float32", "float32", "float32") == [("float32", "float16")] * 2 + [("float32",)]


def test_indices_beside_them_keep_their_type():
    takes = Takes(("float16", "int32"), ("float32", "int64"))
    assert types_of(takes, "float32", "int32") == [("float32", "float16"), ("int32", "int64")]


def test_int8_gets_a_scale():
    case = Case(plugin="P", inputs=(Input(dims=(2,)),))
    (entry,) = with_other_types(Takes(("int8",)), case, KINDS).inputs
    assert entry.types == ("float32", "int8")
    assert entry.scale


def test_a_shape_input_keeps_its_type():
    size = Input(dims=(2,), min=(1, 1), max=(4, 4), types=("int64",), shape_input=True)
    case = Case(plugin="P", inputs=(Input(dims=(2,)), size))
    found = with_other_types(Takes(("float16", "int64"), ("float32", "int32")), case, KINDS)
    assert [each.types for each in found.inputs] == [("float32", "float16"), ("int64",)]
