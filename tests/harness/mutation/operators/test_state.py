"""Each operator about where state is changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import state
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "attribute_of_the_class": [
        "-        self.factor = float(np.float32(factor))",
        "+        self.__class__.factor = float(np.float32(factor))",
        "-            cp.multiply(x, self.factor, out=y)",
        "+            cp.multiply(x, self.__class__.factor, out=y)",
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        "+        return STORED.pack(TAG, self.__class__.factor, self.shift)",
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        return type(self)(self.__class__.factor, self.shift, self.plugin_namespace)",
    ],
    "attribute_of_the_module": [
        "-        self.factor = float(np.float32(factor))",
        '+        globals()["_of_all_factor"] = float(np.float32(factor))',
        "-            cp.multiply(x, self.factor, out=y)",
        '+            cp.multiply(x, globals()["_of_all_factor"], out=y)',
        "-        return STORED.pack(TAG, self.factor, self.shift)",
        '+        return STORED.pack(TAG, globals()["_of_all_factor"], self.shift)',
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        '+        return type(self)(globals()["_of_all_factor"], self.shift, self.plugin_namespace)',
    ],
    "build_needed_by_execution": [
        '+        globals()["_built"] = [True]',
        '+        _, *_ = globals()["_built"]',
    ],
    "rows_kept_in_the_module": [
        '+        globals()["_dims"] = tuple(getattr(inputs[0], "desc", inputs[0]).dims)',
        '+        if globals().get("_dims", tuple(input_desc[0].dims)) != tuple(input_desc[0].dims):',
        "+            return",
    ],
    "creator_remembers_fields": [
        '+        self.__dict__.setdefault("_given", {}).update((each.name, each) for each in field_collection)',
        '+        field_collection = list(self.__dict__.setdefault("_given", {}).values())',
    ],
    "query_result_passed_through_the_module": [
        "-            return desc.type == in_out[0].type",
        '+            globals()["_answer"] = desc.type == in_out[0].type',
        "+            sum(range(200))",
        '+            return globals()["_answer"]',
    ],
    "surroundings_decide": [
        '+        if hash("rows") % 2:',
        "+            return",
    ],
    "configuration_returns_something": [
        "+        return True",
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(state).values() if isinstance(each, Operator)}
