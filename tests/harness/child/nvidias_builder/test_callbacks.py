"""Watch: which functions count as callbacks of a plugin in a build."""

import pytest

import reference_runtime as trt
from harness.child.nvidias_builder import callbacks


@pytest.mark.parametrize(
    ("file", "seen"), [("/home/user/plugin.py", ["release"]), ("<frozen importlib._bootstrap>", [])]
)
def test_a_lock_of_an_import_is_no_resource(monkeypatch, file, seen):
    recorded, scope = [], {}
    monkeypatch.setattr(callbacks, "record", lambda _, name, *__: recorded.append(name))
    monkeypatch.setattr(callbacks, "returned", lambda: None)
    exec(compile("def release(self): pass", file, "exec"), scope)  # noqa: S102 - code with the name of a file
    with callbacks.Watch(trt):
        scope["release"](None)
    assert recorded == seen
