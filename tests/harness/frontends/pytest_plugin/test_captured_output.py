"""What the terminal shows of what a child wrote leaves out what says nothing about the plugin."""

from harness.frontends.pytest_plugin import captured_output
from harness.frontends.pytest_plugin.captured_output import shortened

OURS = captured_output._HOME / "harness" / "judging.py"
RAISED = f"[ERROR] Exception caught in clone(): KeyError: 'a'\n\nAt:\n  my_plugin.py(7): clone\n  {OURS}(365): _judge\n"
REST = "  <string>(1): <module>\n\n"


def test_frames_of_ours_are_left_out():
    told = "[ERROR] Exception caught in clone(): KeyError: 'a'\n\nAt:\n  my_plugin.py(7): clone\n\n"
    assert shortened(RAISED + REST) == told


def test_what_comes_again_is_told_once():
    assert shortened((RAISED + REST) * 4) == f"{shortened(RAISED + REST)}(3 more like it)\n\n"


def test_the_innermost_frame_stays_whosever_it_is():
    alone = f"[ERROR] Exception caught in clone(): KeyError: 'a'\n\nAt:\n  {OURS}(365): _judge\n"
    assert shortened(alone + REST) == f"{alone}\n"


def test_what_the_plugin_prints_stays_as_it_is():
    printed = "loading\nloading\n  my frames(3): like this\n[ERROR] one\n[ERROR] two\n"
    assert shortened(printed) == printed
    assert not shortened("")


def test_what_the_users_code_wrote_is_kept_without_the_logger_and_once():
    logged = "[ERROR] Exception caught in enqueue(): ValueError: no\n\nAt:\n  /home/me/mine.py(3): enqueue\n\n"
    content = f"mine\n{logged}mine\n[WARNING] late\nother\n"
    assert captured_output.without_logger(content) == "mine\nother"
