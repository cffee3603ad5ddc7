"""What a plugin says is heard in forks, too, and standard error is as it was afterwards."""

import os

from harness.child.discovery.listening import Heard, listening


def test_what_a_fork_prints_before_it_ends_is_heard_once(capfd):
    with listening() as ear:
        pid = os.fork()
        if not pid:
            os.write(2, b"Assertion failed:\n  x == 1\nAssertion failed:\n")
            os._exit(1)
        os.waitpid(pid, 0)
        assert ear.taken() == Heard(printed="Assertion failed: x == 1")
        assert ear.taken() == Heard()
    os.write(2, b"afterwards")
    assert capfd.readouterr().err == "afterwards"
