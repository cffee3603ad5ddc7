"""How far a run is: tests done and time left on a terminal, the count of tests, and titles as there is room."""

from types import SimpleNamespace

from harness.frontends.pytest_plugin.progress import ProgressLine, collected, count_tests, titled


class Line:
    shown = ()

    def put(self, told):
        self.shown = told

    def end(self):
        self.shown = ()


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def reporter(width=100, *, isatty=True, style="progress"):
    session = SimpleNamespace(testscollected=182)
    writer = SimpleNamespace(fullwidth=width)
    return SimpleNamespace(isatty=isatty, _tw=writer, _session=session, _show_progress_info=style)


def test_tests_done_and_the_time_left_are_shown_and_taken_back():
    line, clock = Line(), Clock()
    progress = ProgressLine(line, clock)
    for _ in range(19):
        progress.one_more(200)
    assert not line.shown
    clock.now += 4.0
    progress.one_more(200)
    assert line.shown == ["20 of 200 done, about 36 s left", "20/200, about 36 s left", "about 36 s left"]
    progress.hide()
    assert not line.shown


def test_the_last_test_leaves_nothing_and_few_tests_estimate_nothing():
    line, clock = Line(), Clock()
    few, last = ProgressLine(line, clock), ProgressLine(line, clock)
    clock.now += 60.0
    few.one_more(200)
    for _ in range(12):
        last.one_more(1)
    assert not line.shown


def test_without_a_terminal_nothing_is_shown():
    progress = ProgressLine(None)
    progress.one_more(1)
    progress.hide()


def test_pytest_counts_tests_unless_the_user_chose_another_style():
    styles = []
    for style in ("progress", "times", False):
        each = reporter(style=style)
        count_tests(each)
        styles.append(each._show_progress_info)
    assert styles == ["count", "times", False]
    count_tests(None)
    assert (collected(reporter()), collected(None)) == (182, 0)


def test_a_title_is_as_long_as_the_terminal_has_room():
    title = "The clone carries the same parameters as its source."
    lines = [titled("PASS", title, "x" * 30, reporter(width)) for width in (60, 80, 120)]
    assert lines == ["PASS", "PASS: The clone carries the same par...", f"PASS: {title}"]
    assert all(
        len("x" * 30 + " " + line + " [ 37/182]") <= width for line, width in zip(lines, (60, 80, 120), strict=True)
    )
    assert titled("PASS", title, "x" * 30, reporter(20, isatty=False)) == f"PASS: {title}"
