#!/usr/bin/env python3
"""Print one of the README's two set-up commands, so that CI runs the commands that readers run.

    tools/readme_commands.py main|test

The commands are the fenced blocks that follow the comments ``<!-- command: main -->`` and ``<!-- command: test -->``.
"""

import pathlib
import re
import sys

README = pathlib.Path(__file__).resolve().parent.parent / "README.md"


def command(name: str) -> str:
    """Return the text of the block that follows the comment; exit with a message if there is none."""
    block = re.search(rf"<!-- command: {re.escape(name)} -->\s*```\w*\n(.*?)```", README.read_text(), re.DOTALL)
    if block is None:
        sys.exit(f"README.md holds no block after '<!-- command: {name} -->'")
    return block[1]


if __name__ == "__main__":
    if len(sys.argv) != 2:  # noqa: PLR2004 - one argument
        sys.exit(__doc__)
    print(command(sys.argv[1]), end="")
