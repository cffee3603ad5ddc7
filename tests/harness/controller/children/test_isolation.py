"""Whatever a plugin does to its process, pytest's side gets an answer, and the next request is served."""

import dataclasses
import os
import select
import sys
from pathlib import Path

import pytest

from harness.contract.finding import CallbackFailure
from harness.contract.verdict import Answer, Captured, InternalError, Kind
from harness.controller.children import child_process
from harness.controller.children import isolation as isolation_module
from harness.controller.children.in_process import InProcess
from harness.controller.children.isolation import ProcessIsolation, TwinIsolation
from harness.protocol.asked import IsolationError, TwinLostError
from harness.protocol.messages import ChildSettings, Reply, Request
from harness.protocol.requests import RequestKind
from tests.support import stub_judges

DATA = Path(__file__).parents[3] / "support" / "stubs"
#: Not an expectation of the clock: a request that is to meet its deadline brings one of its own.
LONG = 600.0
SETTINGS = ChildSettings(module="hostile", path=(str(DATA),), timeout=LONG, memory=2**28, seed=3)
STUB = stub_judges.loader("stub_judging")


@pytest.fixture(scope="module", autouse=True)
def _environment():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(DATA))
        patch.setattr(child_process, "BOOT", stub_judges.boot("stub_judging"))
        yield


@pytest.fixture(scope="module")
def ask():
    """Ask for a function of the hostile module; all tests share one child, as rules do."""
    isolation = ProcessIsolation(SETTINGS)
    yield lambda rule, **more: isolation.ask(Request(rule, "/Bar/1", "case", **more))
    isolation.close()


def test_requests_share_a_process_as_long_as_each_leaves_it_as_it_was(ask):
    first, second = (ask("process_id").reason for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    "change",
    [
        "set_a_name",
        "set_a_class_attribute",
        "fill_a_cache",
        "fill_a_memo",
        "write_into_an_array",
        "change_what_a_closure_holds",
        "draw_a_number",
        "patch_a_library",
        "change_the_environment",
        "leave_a_thread",
        "leave_a_file_open",
        "leave_a_process",
        "find_something",
        "raise_system_exit",
        "segfault",
    ],
)
def test_a_process_that_is_not_as_it_was_does_nothing_more(ask, change):
    before = ask("process_id").reason
    ask(change)
    assert ask("process_id").reason != before
    assert ask("traces").reason == "[]"


def test_whatever_is_found_in_a_process_that_was_used_is_asked_of_a_new_one(ask):
    ask("leave_what_nobody_sees")
    assert ask("find_what_nobody_sees").reason == "'sound'"


class _Served:
    """A twin whose used fork gives one answer, and whose fresh fork finds nothing wrong."""

    is_usable = True

    def __init__(self, used):
        self.used = used

    def ask(self, task, _timeout):
        answer = Answer(Kind.JUDGED, reason="fresh") if task["alone"] else self.used
        return Reply(answer.to_plain(), shared=not task["alone"])


@pytest.mark.parametrize(
    ("used", "by"),
    [
        (Answer(Kind.JUDGED, reason="used"), "used"),
        (Answer(Kind.NOT_APPLICABLE, reason="used"), "used"),
        (Answer(Kind.NOT_RUN, reason="used", needs_host=True), "used"),
        (Answer(Kind.NOT_RUN, reason="used"), "fresh"),
        (Answer(Kind.JUDGED, broken=1, reason="used"), "fresh"),
        (Answer(Kind.JUDGED, broken=1, reason="used", needs_host=True), "fresh"),
        (Answer(Kind.MET, reason="used"), "fresh"),
        (Answer(Kind.BROKEN, reason="used"), "fresh"),
    ],
)
def test_a_used_process_is_believed_only_where_it_finds_nothing_wrong(used, by):
    answer = TwinIsolation(_Served(used), SETTINGS).ask(Request("DST-003", "/Bar/1", "case"))
    assert answer.reason == by


class _Failing:
    """A twin in whose forks a callback fails in one way after the other."""

    is_usable = True

    def __init__(self, *how):
        self.how = list(how)
        self.fresh = 0

    def ask(self, task, _timeout):
        self.fresh += task["alone"]
        answer = Answer(Kind.MET, mishap=CallbackFailure("clone", self.how.pop(0)))
        return Reply(answer.to_plain(), shared=not task["alone"])


@pytest.mark.parametrize(
    ("second", "plugin", "fresh"),
    [
        ("raised ValueError: no", "/Bar/1", 1),
        ("raised ValueError: another", "/Bar/1", 2),
        ("raised ValueError: no", "/Baz/1", 2),
        ("died by SIGSEGV", "/Bar/1", 2),
    ],
)
def test_without_forks_a_failure_of_a_callback_that_a_new_process_confirmed_is_believed(second, plugin, fresh):
    first = second if second.startswith("died") else "raised ValueError: no"
    twin = _Failing(first, first, second, second)
    isolation = TwinIsolation(twin, SETTINGS)
    isolation._forks = lambda: False
    for key in ("/Bar/1", plugin):
        isolation.ask(Request("DST-003", key, "case"))
    assert twin.fresh == fresh


def test_what_is_no_rule_has_a_process_of_its_own(ask):
    used = ask("process_id").reason
    assert ask("process_id", kind=RequestKind.TRACE).reason != used


def test_a_child_that_imports_ahead_is_the_child_that_answers(monkeypatch):
    started = []
    kind = isolation_module.ChildProcess
    monkeypatch.setattr(isolation_module, "ChildProcess", lambda *given: started.append(given) or kind(*given))
    isolation = ProcessIsolation(SETTINGS)
    isolation.start_importing()
    assert isolation.load().ok
    assert isolation.ask(Request("harmless", "/Bar/1", "case")).reason == "'fine'"
    assert len(started) == 1
    isolation.close()


def test_a_program_is_not_run_ahead(monkeypatch):
    monkeypatch.setattr(isolation_module, "ChildProcess", None)
    ProcessIsolation(dataclasses.replace(SETTINGS, records=True)).start_importing()


def test_a_twin_answers_beside_the_child_and_ends_with_it():
    isolation = ProcessIsolation(SETTINGS)
    twin = isolation.another()
    here, there = (each.ask(Request("process_id", "/Bar/1", "case")).reason for each in (isolation, twin))
    assert here != there
    assert twin.ask(Request("segfault", "/Bar/1", "case")).mishap.how == "died by SIGSEGV"
    assert twin.ask(Request("harmless", "/Bar/1", "case")).reason == "'fine'"
    isolation.close()
    with pytest.raises(TwinLostError):
        twin.ask(Request("harmless", "/Bar/1", "case"))
    twin.close()


def test_a_twin_that_is_killed_gives_no_answer_and_the_child_lives():
    isolation = ProcessIsolation(SETTINGS)
    twin = isolation.another()
    with pytest.raises(TwinLostError):
        twin.ask(Request("kill_its_parent", "/Bar/1", "case"))
    assert isolation.ask(Request("harmless", "/Bar/1", "case")).reason == "'fine'"
    twin.close()
    isolation.close()


DEATHS = {
    "segfault": ("died by SIGSEGV", True),
    "abort": ("died by SIGABRT", True),
    "own_faulthandler_then_segfault": ("died by SIGSEGV", True),
    "exit_zero": ("ended the process with exit status 0", False),
    "kill_itself": ("died by SIGKILL (what Linux does when memory runs out)", False),
    "kill_its_parent": ("died by SIGKILL (what Linux does when memory runs out)", False),
    "die_while_a_copy_holds_everything": ("died by SIGKILL (what Linux does when memory runs out)", False),
    "raise_system_exit": ("raised SystemExit: 3", True),
    "raise_keyboard_interrupt": ("raised KeyboardInterrupt", True),
    "raise_what_cannot_be_told": ("raised Broken: its text cannot be had", True),
    "recurse": ("raised RecursionError: maximum recursion depth exceeded", True),
    "eat_memory": ("raised MemoryError", True),
    "stop_for_debugger": (
        "raised RuntimeError: breakpoint() in a child process has no terminal: run with --plugin-isolation=none",
        True,
    ),
}


@pytest.mark.parametrize(("callback", "how", "has_stack"), [(name, *value) for name, value in DEATHS.items()])
def test_a_death_is_an_answer_and_the_next_request_is_served(ask, callback, how, has_stack):
    answer = ask(callback)
    assert answer.kind is Kind.MET
    assert (answer.mishap.callback, answer.mishap.how) == (callback, how)
    assert answer.mishap.where == f"Bar#1.{callback}(pos=1), during execution"
    assert answer.mishap.calls == ("Bar#1.clone(), during context", answer.mishap.where)
    assert (f"in {callback}" in answer.mishap.stack) == has_stack
    assert ask("harmless").reason == "'fine'"


@pytest.mark.parametrize(
    ("callback", "deadline", "has_stack"),
    [
        ("hang_in_python", 1.0, True),
        ("hang_in_c", 5.0, True),
        ("stop_itself", 5.0, True),
        pytest.param("handle_signals_itself", 1.0, True, marks=pytest.mark.nightly),
        pytest.param("own_handler_for_segfault", 1.0, True, marks=pytest.mark.nightly),
        pytest.param("block_signals", 1.0, False, marks=pytest.mark.nightly),
    ],
)
def test_a_hang_is_an_answer_and_the_next_request_is_served(ask, callback, deadline, has_stack):
    """A process that sleeps has more time to come to its hang: while it works, it is waited for anyway.

    Nightly are further ways to work until the deadline, which take a second of the processor each.
    """
    answer = ask(callback, deadline=deadline)
    assert answer.kind is Kind.MET
    assert (answer.mishap.callback, answer.mishap.how) == (callback, f"did not return within {deadline:g} s")
    assert answer.mishap.becomes == "TensorRT waits for ever"
    assert (f"in {callback}" in answer.mishap.stack) == has_stack
    assert ask("harmless").reason == "'fine'"


def test_a_stack_holds_the_users_frames_and_none_of_ours(ask):
    stack = ask("segfault").mishap.stack
    assert stack.startswith("Fatal Python error: Segmentation fault")
    assert f'"{DATA / "hostile.py"}", line ' in stack
    assert str(Path(isolation_module.__file__).parent) not in stack


@pytest.mark.parametrize(
    ("vandal", "result"),
    [
        ("close_standard_streams", "'closed'"),
        ("close_below_100", "'closed'"),
        ("replace_stdout", "'replaced'"),
        ("leave_thread", "'left'"),
        ("return_twice", "'returned'"),
        ("change_directory", "'/'"),
        ("patch_numpy", "'patched'"),
    ],
)
def test_a_vandal_gets_its_answer_and_the_next_process_is_pristine(ask, vandal, result):
    assert ask(vandal).reason == result
    assert ask("numpy_zeros").reason == "0.0"
    assert ask("directory").reason == repr(str(Path.cwd()))


def test_who_closes_or_writes_to_our_descriptors_is_told_so(ask):
    closed = ask("close_everything").mishap
    assert closed.how == "closed file descriptors that it had not opened"
    assert "close_everything" in closed.where
    assert "wrote to a file descriptor" in ask("write_to_our_descriptors").mishap.how
    assert ask("harmless").reason == "'fine'"


@pytest.mark.parametrize("way", ["leave_grandchild", "leave_daemon", "leave_copy_that_holds_everything"])
def test_no_process_is_left_behind(ask, way):
    pid = int(ask(way).reason)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_a_plugin_draws_depends_on_the_seed_alone(ask):
    assert ask("draw", seed=1) == ask("draw", seed=1)
    assert ask("draw", seed=1) != ask("draw", seed=2)


def test_hashes_are_the_same_in_every_child_and_assertions_are_on(ask):
    first = ask("order_of_a_set")
    ask("segfault")
    assert ask("order_of_a_set") == first
    assert first.reason.endswith(", 0)")


def test_sections_hold_what_was_written_even_before_a_death(ask):
    for callback in ("speak", "speak_and_segfault"):
        captured = ask(callback).captured
        assert captured.stdout.splitlines()[0] == "printed π"
        assert captured.stderr == "complained\n"
        assert captured.log.startswith("WARNING  my.plugin:hostile.py:")
        assert "UserWarning: take care" in captured.warnings
    assert "from C" in ask("speak").captured.stdout
    assert ask("harmless").captured == Captured()


def test_much_output_neither_blocks_nor_fills_memory(ask):
    answer = ask("shout")
    assert answer.reason == "'hoarse'"
    assert answer.captured.stdout.startswith("0\n1\n")
    assert answer.captured.stdout.endswith("131070\n131071\n")
    assert " bytes left out]" in answer.captured.stdout


def test_a_rule_that_fails_is_broken_and_one_that_dies_has_no_callback(ask):
    broken = ask("rule_that_fails")
    assert broken.kind is Kind.BROKEN
    assert "ZeroDivisionError: ours" in broken.reason
    died = ask("rule_that_segfaults")
    assert (died.kind, died.mishap.callback) == (Kind.MET, "the plugin")
    assert died.mishap.where == "before the first callback"
    assert ask("rule_that_exits").mishap.how == "raised SystemExit: enough"


def test_discovery_gives_plain_data():
    isolation = ProcessIsolation(SETTINGS)
    assert isolation.load().ok
    assert isolation.discover() == {"plugins": [], "problems": [], "module": "hostile"}
    isolation.close()


@pytest.fixture
def isolated(tmp_path):
    """Make the isolation of a module with the given text."""
    made = []

    def isolate(text, **settings):
        (tmp_path / "user_plugin.py").write_text(text)
        given = {**SETTINGS.__dict__, "module": str(tmp_path / "user_plugin.py"), **settings}
        made.append(ProcessIsolation(ChildSettings(**given)))
        return made[-1]

    yield isolate
    for isolation in made:
        isolation.close()


def test_a_death_in_discovery_is_a_problem_of_the_module(isolated):
    found = isolated("import os\ndef on_discover(): os.abort()").discover()
    [problem] = found["problems"]
    assert problem["kind"] == "fail"
    assert problem["text"] == "while plugins were looked for, the plugin died by SIGABRT"
    assert problem["answer"]["kind"] == "met"


def test_a_judge_that_fails_in_discovery_is_an_internal_error(isolated):
    with pytest.raises(InternalError, match="KeyError: 'ours'"):
        isolated("def on_discover(): raise KeyError('ours')").discover()


THREADED = """
import os, signal, threading
threading.Thread(target=threading.Event().wait, daemon=True).start()
count = 0
def add():
    global count
    print("adding")
    count += 1
    return count
def die(): os.kill(os.getpid(), signal.SIGSEGV)
def who(): return os.getpid()
def start(): threading.Thread(target=threading.Event().wait, daemon=True).start()
"""


def test_a_module_with_threads_is_judged_in_one_process_while_nothing_changes(isolated):
    isolation = isolated(THREADED)
    assert isolation.load().threads

    def asked(method, **how):
        return isolation.ask(Request(method, "/Bar/1", "case", **how)).reason

    first = asked("who")
    assert asked("who") == first
    alone = asked("who", kind=RequestKind.TRACE)
    others = [asked("who")]
    for changes in ("add", "start"):
        asked(changes)
        others.append(asked("who"))
    assert len({first, alone, *others}) == 5


def test_a_module_with_threads_gets_a_new_process_after_each_change(isolated):
    isolation = isolated(THREADED)
    answers = [isolation.ask(Request("add", "/Bar/1", "case")) for _ in range(2)]
    assert [answer.reason for answer in answers] == ["1", "1"]
    assert answers[0].captured.stdout == "adding\n"
    mishap = isolation.ask(Request("die", "/Bar/1", "case")).mishap
    assert (mishap.callback, mishap.how) == ("die", "died by SIGSEGV")
    assert "in die" in mishap.stack


INTERFERING = """
import gc, os, signal, subprocess
os.environ["SEEN"] = "yes"
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGALRM, lambda *_: os._exit(1))
helper = subprocess.Popen(["sleep", "3600"])
def state():
    os.kill(os.getppid(), signal.SIGALRM)
    return signal.getsignal(signal.SIGCHLD).name, os.environ["SEEN"], gc.isenabled(), helper.pid
"""


def test_what_an_import_does_to_signals_and_children_holds_in_forks_and_stops_no_zygote(isolated):
    isolation = isolated(INTERFERING)
    reasons = {isolation.ask(Request("state", "/Bar/1", "case")).reason for _ in range(3)}
    [reason] = reasons
    assert reason.startswith("('SIG_IGN', 'yes', True, ")
    helper = os.pidfd_open(int(reason.strip("()").split(", ")[-1]))
    isolation.close()
    assert select.select([helper], [], [], LONG)[0], "the helper outlives its module"
    os.close(helper)


def test_a_killed_zygote_is_replaced(isolated):
    isolation = isolated("import os\nprint('imported')\ndef parent(): return os.getppid()")
    first = isolation.ask(Request("parent", "/Bar/1", "case")).reason
    os.kill(int(first), 9)
    answer = isolation.ask(Request("parent", "/Bar/1", "case"))
    assert (answer.kind, answer.mishap.callback) == (Kind.MET, "the plugin")
    assert isolation.ask(Request("parent", "/Bar/1", "case")).reason not in ("", first)


def test_an_interrupted_request_leaves_no_answer_for_the_next(isolated, monkeypatch):
    isolation = isolated("def one(): return 1\ndef two(): return 2")
    assert isolation.load().ok
    with monkeypatch.context() as patch:
        patch.setattr(
            "harness.controller.children.child_process.watch", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            isolation.ask(Request("one", "/Bar/1", "case"))
    assert isolation.ask(Request("two", "/Bar/1", "case")).reason == "2"


def test_another_system_than_linux_is_refused_at_once(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(IsolationError, match=r"this is darwin\. Run with --plugin-isolation=none"):
        ProcessIsolation(SETTINGS)


@pytest.fixture
def in_process(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", [str(DATA), *sys.path])
    monkeypatch.setattr("harness.child.import_names.install", lambda *, cupy: None)  # noqa: ARG005
    (tmp_path / "user_plugin_here.py").write_text("import os\ndef process(): return os.getpid()")
    yield InProcess(ChildSettings("user_plugin_here", path=(str(tmp_path),)), STUB)
    for name in ("user_plugin_here", "stub_judging"):
        sys.modules.pop(name, None)


def test_without_isolation_this_process_serves(in_process):
    loaded = in_process.load()
    assert (loaded.ok, loaded.name) == (True, "user_plugin_here")
    assert in_process.discover()["module"] == "user_plugin_here"
    assert in_process.ask(Request("process", "/Bar/1", "case")).reason == str(os.getpid())
    in_process.close()


def test_without_isolation_a_package_of_our_name_is_refused(tmp_path):
    (tmp_path / "harness.py").touch()
    with pytest.raises(IsolationError, match=f"^{tmp_path}/harness has the name of a package of "):
        InProcess(ChildSettings(str(tmp_path / "user_plugin_too.py")), STUB)


def test_without_isolation_modules_take_turns(in_process, tmp_path):
    (tmp_path / "user_plugin_too.py").write_text("def process(): return 'other'")
    other = InProcess(ChildSettings(str(tmp_path / "user_plugin_too.py")), STUB)
    request = Request("process", "/Bar/1", "case")
    answers = [isolation.ask(request).reason for isolation in (in_process, other, in_process, other)]
    del sys.modules["user_plugin_too"]
    assert answers == [str(os.getpid()), "'other'"] * 2


def test_without_isolation_a_failed_import_is_an_answer(in_process, tmp_path):
    (tmp_path / "user_plugin_here.py").write_text("raise SystemExit('no')")
    loaded = in_process.load()
    assert (loaded.ok, loaded.exists, loaded.answer.mishap.how) == (False, True, "raised SystemExit: no")
    assert in_process.ask(Request("process", "/Bar/1", "case")) == loaded.answer
