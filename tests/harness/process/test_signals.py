"""Signals that ask a run to end interrupt it once, or go to the process that works for it."""

import signal
import types

import pytest

from harness.process.signals import ENDING, AsInterrupts, PassedOn


@pytest.fixture(autouse=True)
def defaults():
    usual = {**dict.fromkeys(ENDING, signal.SIG_DFL), signal.SIGINT: signal.default_int_handler}
    before = {each: signal.signal(each, handler) for each, handler in usual.items()}
    yield usual
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.parametrize("each", ENDING)
def test_a_signal_that_asks_to_end_interrupts_while_it_is_held(each):
    signals = AsInterrupts()
    signals.hold()
    with pytest.raises(KeyboardInterrupt, match=each.name):
        signal.raise_signal(each)
    signals.release()
    assert signal.getsignal(each) is signal.SIG_DFL


def test_what_tidies_up_is_not_interrupted_again():
    signals = AsInterrupts(signal.SIGINT)
    signals.hold()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    for each in (*ENDING, signal.SIGINT):
        signal.raise_signal(each)
    signals.release()


def test_a_signal_that_is_ignored_or_handled_stays_so():
    def handler(*_):
        """Do nothing."""

    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, handler)
    signals = AsInterrupts()
    signals.hold()
    signals.release()
    assert (signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGTERM)) == (signal.SIG_IGN, handler)


@pytest.mark.parametrize(
    ("signals", "met"),
    [
        ([signal.SIGTERM], signal.SIGTERM),
        ([signal.SIGHUP, signal.SIGTERM], signal.SIGTERM),
        ([signal.SIGINT], signal.SIGTERM),
        ([signal.SIGINT, signal.SIGINT], signal.SIGKILL),
    ],
)
def test_signals_are_passed_on_to_the_process_that_works(defaults, signals, met):
    sent, asked = [], PassedOn()

    def wait():
        for each in signals:
            signal.raise_signal(each)  # Python calls the handler before the loop goes on
        return sent[-1]

    process = types.SimpleNamespace(send_signal=sent.append, wait=wait)
    with asked.held():
        assert asked.wait(process) == met
    assert {each: signal.getsignal(each) for each in defaults} == defaults


def test_before_a_process_works_a_signal_interrupts():
    with pytest.raises(KeyboardInterrupt, match="SIGTERM"), PassedOn().held():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
