"""Each operator about clones changes what it names, and nothing else."""

import pytest

from harness.mutation.kind import Operator
from harness.mutation.operators import cloning
from tests.support.mutation.sources import first_change

#: The lines that differ where an operator first finds something to change.
CHANGES = {
    "parameter_not_cloned": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        return type(self)(type(self.factor)(), self.shift, self.plugin_namespace)",
    ],
    "attribute_lost_by_clone": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made.factor = None",
        "+        return made",
    ],
    "copied_attribute_dropped": [
        "-        made._tactic = self._tactic",
        "+        pass",
    ],
    "clone_without_namespace": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        '+        return type(self)(self.factor, self.shift, "")',
    ],
    "clone_of_another_version": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        '+        made.plugin_version += "1"',
        "+        return made",
    ],
    "clone_with_more_outputs": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made.num_outputs = self.num_outputs + 1",
        "+        return made",
    ],
    "clone_is_its_source": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        return self",
    ],
    "clone_made_once": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        '+        if getattr(self, "_clone", None) is None:',
        "+            self._clone = type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        return self._clone",
    ],
    "clone_shares_state": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made.__dict__ = self.__dict__",
        "+        return made",
    ],
    "clone_of_another_class": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        '+        made.__class__ = type("Clone", (type(made),), {})',
        "+        return made",
    ],
    "source_emptied_by_clone": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        self.factor = self.factor * 0 if isinstance(self.factor, (int, float, np.ndarray)) else None",
        "+        return made",
    ],
    "clone_takes_memory": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made._scratch = cp.empty(1024, np.float32)",
        "+        return made",
    ],
    "clone_reads_a_file": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        made = type(self)(self.factor, self.shift, self.plugin_namespace)",
        '+        with open(__file__, "rb") as file:',
        "+            made._text = file.read()",
        "+        return made",
    ],
    "clone_gives_nothing": [
        "-        return type(self)(self.factor, self.shift, self.plugin_namespace)",
        "+        type(self)(self.factor, self.shift, self.plugin_namespace)",
    ],
    "attached_is_the_plugin_itself": [
        "-        return attached",
        "+        return self",
    ],
    "contexts_share_a_clone": [
        "-        return attached",
        '+        if getattr(self, "_attached", None) is None:',
        "+            self._attached = attached",
        "+        return self._attached",
    ],
    "attached_kept_alive": [
        "+        attached = attached",
        '+        self.__dict__.setdefault("_attached", []).append(attached)',
    ],
}


@pytest.mark.parametrize("name", sorted(CHANGES))
def test_an_operator_changes_what_it_names(name):
    assert first_change(name)[1] == CHANGES[name]


def test_no_operator_is_left_out():
    assert {*CHANGES} == {each.name for each in vars(cloning).values() if isinstance(each, Operator)}
