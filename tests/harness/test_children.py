"""Only so many children are open at a time."""

from harness.children import Children


class Child:
    def __init__(self, module, log):
        self.module, self.log = module, log

    def close(self):
        self.log.append(f"closed {self.module}")


def test_the_child_used_longest_ago_makes_room_for_a_new_one():
    log = []
    children = Children(lambda module: Child(module, log), most=2)
    first = children.of("a")
    children.of("b")
    assert children.of("a") is first
    children.of("c")
    assert log == ["closed b"]
    children.close()
    assert sorted(log) == ["closed a", "closed b", "closed c"]
    assert children.of("a") is not first
