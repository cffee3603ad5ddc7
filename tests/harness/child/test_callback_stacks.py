"""Where in the user's code a callback raised, without frames of ours."""

from types import SimpleNamespace

from harness.child.callback_stacks import stack_of
from reference_runtime.values.dims import Dims


def raised():
    try:
        Dims("no numbers")  # the innermost frames are the runtime's
    except TypeError as error:
        return SimpleNamespace(what="raised TypeError: no", error=error)
    raise AssertionError("it is accepted")


def test_the_users_line_is_the_innermost_frame_though_the_runtime_raised():
    frames = [line for line in stack_of("enqueue raised TypeError: no", [raised()]).splitlines() if "File " in line]
    assert len(frames) == 1
    assert f'"{__file__}"' in frames[0]


def test_what_no_callback_raised_has_no_stack():
    returned = SimpleNamespace(what="returned None", error=None)
    assert stack_of("the sum is wrong", [raised(), returned]) == ""
    assert stack_of("it returned None", [returned]) == ""
