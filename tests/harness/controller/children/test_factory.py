"""Only so many children are open at a time."""

from harness.controller.children.factory import Children


class Child:
    def __init__(self, module, spec, log):
        self.name, self.log = f"{module} at {spec}", log

    def close(self):
        self.log.append(f"closed {self.name}")


def test_the_child_used_longest_ago_makes_room_for_a_new_one():
    log = []
    children = Children(lambda module, spec: Child(module, spec, log), most=2)
    first = children.of("a", "10")
    children.of("b", "10")
    assert children.of("a", "10") is first
    children.of("c", "10")
    assert log == ["closed b at 10"]
    children.close()
    assert sorted(log) == ["closed a at 10", "closed b at 10", "closed c at 10"]
    assert children.of("a", "10") is not first


def test_each_level_of_a_module_has_a_child_of_its_own():
    log = []
    children = Children(lambda module, spec: Child(module, spec, log))
    assert children.of("a", "10") is not children.of("a", "8.6")
    assert children.of("a", "8.6").name == "a at 8.6"


def test_the_children_of_a_module_that_is_done_are_closed_and_no_others():
    log = []
    children = Children(lambda module, spec: Child(module, spec, log))
    kept = children.of("other", "10")
    for spec in ("10", "11"):
        children.of("done", spec)
    children.close_those_of("done")
    assert len(log) == 2
    assert children.of("other", "10") is kept
