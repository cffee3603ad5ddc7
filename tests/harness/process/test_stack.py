"""Stacks as text, reduced to the user's frames."""

import pytest

from harness.child import task, user_module
from harness.process import stack

DUMP = f"""Stack (most recent call first):
  File "/home/me/my_plugin.py", line 7 in enqueue
  File "/x/reference_runtime/calling/gate/gate.py", line 3 in call
  File "{task.__file__}", line 90 in _served
  File "<string>", line 1 in <module>
"""


def test_a_dump_ends_where_our_outermost_frames_begin():
    assert stack.of_dump(DUMP).splitlines() == DUMP.splitlines()[:3]


def test_of_two_dumps_the_first_is_taken():
    assert stack.is_dumped(DUMP + DUMP)
    assert not stack.is_dumped(DUMP)
    assert stack.of_dump(DUMP + DUMP.replace("enqueue", "clone")) == stack.of_dump(DUMP)


def test_each_thread_of_a_dump_is_reduced():
    first, second = DUMP.replace("Stack", "Thread 1"), DUMP.replace("Stack", "Current thread 2")
    text = stack.of_dump(f"Fatal Python error: Aborted\n\n{first}\n{second}\nExtension modules: numpy (total: 1)\n")
    assert text.count("enqueue") == 2
    assert "task.py" not in text
    assert "Extension" not in text


def test_a_dump_on_standard_error_stands_in_for_one_of_ours():
    noise = "Fatal Python error: is a phrase in what the plugin prints\n"
    assert stack.of_dump("", noise + "Fatal Python error: Aborted\n\n" + DUMP).startswith("Fatal Python error: Aborted")
    assert stack.of_dump(DUMP, "Fatal Python error: Aborted") == stack.of_dump(DUMP)
    assert stack.of_dump("", "just words") == ""


def test_the_traceback_of_a_failed_import_begins_with_the_users_frames(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "outer_module.py").write_text("import inner_module\n")
    (tmp_path / "inner_module.py").write_text("1 / 0\n")
    with pytest.raises(ZeroDivisionError) as caught:
        user_module.import_module("outer_module")
    text = stack.of_error(without_this_file(caught.value))
    files = [line.split('"')[1] for line in text.splitlines() if line.startswith("  File")]
    assert files == [str(tmp_path / "outer_module.py"), str(tmp_path / "inner_module.py")]


def test_causes_are_reduced_as_well():
    with pytest.raises(user_module.ModuleMissingError) as caught:
        user_module.import_module("os.nothing")
    error = RuntimeError("on top")
    error.__cause__ = without_this_file(caught.value)
    text = stack.of_error(error)
    assert "there is no module named 'os.nothing'" in text
    assert "user_module.py" not in text


def without_this_file(error):
    return error.with_traceback(error.__traceback__.tb_next)
