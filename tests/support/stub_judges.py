"""Another judge in a child: the command that starts the child with a module of tests/support/stubs in its place."""

import importlib

STARTED = (
    "import gc, sys; gc.disable(); sys.path.insert(0, sys.argv.pop(1)); from harness.child import main as child; "
    "child.main(lambda: __import__({!r}))"
)


def boot(judge):
    """Return what takes the place of ``child_process.BOOT``."""
    return STARTED.format(judge)


def loader(judge):
    """Return what loads the judge in this process."""
    return lambda: importlib.import_module(judge)
