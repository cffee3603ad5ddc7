"""How the end of a process is told."""

import pytest
from msgspec import structs

from harness.contract.verdict import Captured, Kind
from harness.process import failures
from harness.process.flight_recorder import CallbackTrail, Entry
from harness.process.output_capture import Taps
from harness.process.wait import WaitResult
from harness.protocol.messages import Reply

RUNNING = CallbackTrail(Entry("Bar#1", "enqueue", "execution"), ("Bar#1.enqueue(), during execution",))
BETWEEN = CallbackTrail(None, ("Bar#1.clone(), during context",))


@pytest.fixture
def taps():
    taps, ends = Taps.open()
    ends.close()
    yield taps
    taps.close()


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"status": -11}, "died by SIGSEGV"),
        ({"status": -60}, "died by signal 60"),
        ({"status": 3}, "ended the process with exit status 3"),
        ({"status": failures.ANSWER_FAILED}, "left its process unable to answer; standard error says more"),
        ({"status": failures.CHANNEL_CLOSED}, "closed file descriptors that it had not opened"),
        ({"damaged": True}, "wrote to a file descriptor that it had not opened"),
        ({"overdue": True}, "did not return within 2.5 s"),
    ],
)
def test_each_end_is_told_in_words(taps, how, told):
    answer = failures.of_ending(WaitResult(RUNNING, **how), taps, timeout=2.5)
    assert (answer.kind, answer.mishap.callback, answer.mishap.how) == (Kind.MET, "enqueue", told)


@pytest.mark.parametrize("interpreter", ["Triton's interpreter", ""])
@pytest.mark.parametrize("how", [{"overdue": True}, {"status": -11}])
def test_the_time_of_an_interpreter_is_told_apart(taps, interpreter, how):
    trail = structs.replace(RUNNING, interpreter=interpreter)
    answer = failures.of_ending(WaitResult(trail, **how), taps, timeout=2.5)
    assert answer.interpreter == (interpreter if "overdue" in how else "")
    assert answer.fails == (not answer.interpreter)


def test_an_end_after_a_call_that_this_machine_cannot_answer_is_no_failure(taps):
    answer = failures.of_ending(WaitResult(structs.replace(RUNNING, lack="f needs a GPU"), status=-6), taps, timeout=1)
    assert (answer.lack, answer.fails) == ("f needs a GPU", False)


def test_an_end_between_callbacks_is_told_by_the_last_one(taps):
    mishap = failures.of_ending(WaitResult(BETWEEN, status=1), taps, timeout=1).mishap
    assert (mishap.callback, mishap.where) == (
        "the plugin",
        "outside any callback, after Bar#1.clone(), during context",
    )


def test_what_a_zygote_forwards_keeps_the_output_of_its_fork(taps):
    forwarded = Reply(1, captured=Captured(stdout="of the fork"))
    assert failures.reply_of(WaitResult(BETWEEN, message=forwarded.to_plain()), taps, timeout=1) == forwarded


@pytest.mark.parametrize(
    ("trail", "error", "kind"),
    [
        (RUNNING, ValueError("no"), Kind.MET),
        (BETWEEN, SystemExit(1), Kind.MET),
        (BETWEEN, ValueError("no"), Kind.BROKEN),
    ],
)
def test_an_exception_between_callbacks_is_ours_unless_it_ends_processes(trail, error, kind):
    answer = failures.of_escape(error, trail)
    assert answer.kind is kind
    assert "ValueError: no" in answer.reason or answer.mishap.how == f"raised {type(error).__name__}: {error}"
