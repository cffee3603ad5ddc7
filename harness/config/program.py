"""Parse programs as ``--plugin-app`` names them: a function of a module, or a script, and its command line."""

from __future__ import annotations

import shlex

import msgspec

#: The ``function`` of a program that is a script.
SCRIPT = "__main__"
#: The beginning of a subject's name that means the plugins of a program, not the program itself.
_PLUGINS_OF = "plugins of "


class Program(msgspec.Struct, frozen=True):
    """One program.

    Attributes:
        module: A dotted name, or the path of a file.
        function: The function of the module to call; `SCRIPT` to run the file as a script.
        arguments: The arguments of its command line.
    """

    module: str
    function: str
    arguments: tuple[str, ...] = ()

    @property
    def is_script(self) -> bool:
        """Return whether the file is run as a script."""
        return self.function == SCRIPT

    def __str__(self) -> str:
        """Return the text from which `parse` returns an equal program."""
        return shlex.join((f"{self.module}:{self.function}", *self.arguments))


def parse(text: str) -> Program:
    """Return the program in a text: ``MODULE:FUNCTION`` or ``SCRIPT.py``, followed by arguments.

    Raises:
        ValueError: The text has another form.
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
    """Return the subject's name that means the plugins of a program."""
    return f"{_PLUGINS_OF}{program}"


def program_of(subject: str) -> str:
    """Return the program if a subject means the plugins of a program, else the empty string."""
    return subject.removeprefix(_PLUGINS_OF) if subject.startswith(_PLUGINS_OF) else ""
