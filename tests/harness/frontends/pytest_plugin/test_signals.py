"""Signals that ask a run to end interrupt it, unless somebody else handles them."""

import signal

import pytest

from harness.frontends.pytest_plugin.signals import ENDING, AsInterrupts


@pytest.fixture
def signals():
    before = {each: signal.signal(each, signal.SIG_DFL) for each in ENDING}
    held = AsInterrupts()
    yield held
    held.release()
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.parametrize("each", ENDING)
def test_a_signal_that_asks_to_end_interrupts_while_it_is_held(signals, each):
    signals.hold()
    with pytest.raises(KeyboardInterrupt, match=each.name):
        signal.raise_signal(each)
    signals.release()
    assert signal.getsignal(each) is signal.SIG_DFL


def test_a_signal_that_is_ignored_or_handled_stays_so(signals):
    def handler(*_):
        """Do nothing."""

    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, handler)
    signals.hold()
    signals.release()
    assert (signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGTERM)) == (signal.SIG_IGN, handler)
