"""Parse programs as ``--plugin-app`` names them: a function of a module, or a script, and its command line."""

from __future__ import annotations

import shlex

import msgspec

#: The function of a script: all that it does when it is run.
SCRIPT = "__main__"
#: What the name of a program's plugins begins with, as a subject of its own beside the program.
_PLUGINS_OF = "plugins of "


class Program(msgspec.Struct, frozen=True):
    """One program.

    Attributes:
        module: A dotted name, or the path of a file.
        function: Its function; `SCRIPT` for the file as a script.
        arguments: Its command line.
    """

    module: str
    function: str
    arguments: tuple[str, ...] = ()

    @property
    def is_script(self) -> bool:
        """Return whether the file is run as a script."""
        return self.function == SCRIPT

    def __str__(self) -> str:
        """Return it in the form that `parse` returns unchanged."""
        return shlex.join((f"{self.module}:{self.function}", *self.arguments))


def parse(text: str) -> Program:
    """Return the program that a text names: ``MODULE:FUNCTION`` or ``SCRIPT.py``, and arguments behind it.

    Raises:
        ValueError: It names none.
    """
    first, *arguments = shlex.split(text) or [""]
    module, _, function = first.rpartition(":")
    if first.endswith(".py"):
        module, function = first, SCRIPT
    if not module or not function.isidentifier():
        raise ValueError(
            "write it as MODULE:FUNCTION or SCRIPT.py, for example my_application:main or 'build.py --precision fp16'"
        )
    return Program(module, function, tuple(arguments))


def plugins_of(program: str) -> str:
    """Return the name of a program's plugins as a separate subject."""
    return f"{_PLUGINS_OF}{program}"


def program_of(subject: str) -> str:
    """Return the program whose plugins a subject is, or the empty string for another subject."""
    return subject.removeprefix(_PLUGINS_OF) if subject.startswith(_PLUGINS_OF) else ""
