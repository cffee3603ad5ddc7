"""Options of this project's own test run."""

import pathlib

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--record-api",
        type=pathlib.Path,
        metavar="PATH",
        help="write down which test first uses each member of the API (with -n0 -p no:randomly)",
    )


def pytest_configure(config):
    if config.getoption("--record-api") is not None:
        config.pluginmanager.register(RecordApi(config.getoption("--record-api")), "record-api")


def pytest_ignore_collect(collection_path, config):
    """Leave out what has no such test where only those are wanted that a new rule can break: collecting all is slow."""
    if config.option.markexpr != "new_rule":
        return None
    files = collection_path.rglob("test_*.py") if collection_path.is_dir() else [collection_path]
    return None if any("new_rule" in file.read_text(encoding="utf-8") for file in files) else True


class RecordApi:
    """Watches the members of the API while tests run, and writes down who used what first."""

    def __init__(self, path):
        from tests.support.api_recorder import Recorder  # noqa: PLC0415 - it loads the reference runtime

        self.path, self.recorder = path, Recorder()
        self.recorder.watch()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        self.recorder.test = item.nodeid
        try:
            return (yield)
        finally:
            self.recorder.test = ""

    def pytest_sessionfinish(self):
        self.recorder.save(self.path)
