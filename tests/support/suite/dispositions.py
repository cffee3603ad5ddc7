"""What the signals do that the suite was told to ignore: it ignores them, and what tests start does not.

Theory. A process hands the signals that it ignores on to what it starts: ``nohup`` ignores SIGHUP, and a script ignores
SIGINT for what it starts with ``&``. A signal with a handler gets its default back in a new program. So a handler that
does nothing takes the place of what was inherited: this process goes on to ignore the signal, and no other one does.
Workers of pytest-xdist are new programs, and are told what to ignore.
"""

import signal

import pytest

#: Python ignores these itself, and gives them back to what it starts.
_PYTHONS_OWN = {signal.SIGPIPE, signal.SIGXFSZ}
#: The numbers of the signals that were ignored when pytest began.
IGNORED = pytest.StashKey[list[int]]()


def ignored():
    """Return the numbers of the signals that this process ignores and that stay ignored in what it starts."""
    others = signal.valid_signals() - _PYTHONS_OWN
    return sorted(int(each) for each in others if signal.getsignal(each) is signal.SIG_IGN)


def ignore_here_alone(signals):
    """Ignore signals in this process, and in none that it starts."""
    for each in signals:
        signal.signal(each, _do_nothing)


def _do_nothing(*_):
    """Handle a signal."""
