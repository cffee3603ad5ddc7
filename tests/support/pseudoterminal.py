"""Runs a command where a user would see it: on a terminal."""

import contextlib
import errno
import os
import pty
import subprocess


def written_by(command, folder, environment):
    """Run a command in a pseudoterminal; return all that was written there."""
    above, below = pty.openpty()
    with contextlib.closing(os.fdopen(above, "rb", buffering=0)) as terminal:
        process = subprocess.Popen(  # noqa: S603 - pytest
            command, cwd=folder, env=environment, stdin=below, stdout=below, stderr=below
        )
        os.close(below)
        written = b"".join(iter(lambda: _read(terminal), b""))
        process.wait()
    return written.decode()


def _read(terminal):
    try:
        return terminal.read(4096)
    except OSError as error:
        if error.errno != errno.EIO:  # how Linux says that nobody writes any more
            raise
        return b""
