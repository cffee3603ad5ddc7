"""What holds for each of this project's own tests."""

import gc
import os
import pathlib
import sys

import pytest

from tests.support.forked_processes import PROCESSES, arguments_of, is_plain_pytest
from tests.support.suite import dispositions, leaks

#: The names of the fixtures that several tests share, while they last.
LASTING = set()
#: What some test has failed for leaving open.
TOLD = set()


def pytest_configure(config):
    told = getattr(config, "workerinput", {}).get("ignored", [])
    config.stash[dispositions.IGNORED] = sorted({*told, *dispositions.ignored()})
    dispositions.ignore_here_alone(config.stash[dispositions.IGNORED])
    PROCESSES.lend_to_harness()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Tell a worker of pytest-xdist which signals the run ignores."""
    node.workerinput["ignored"] = node.config.stash[dispositions.IGNORED]


def pytest_ignore_collect(collection_path, config):
    """With ``-m new_rule``, ignore files without a test of that mark: to collect all of them takes long."""
    if config.option.markexpr != "new_rule":
        return None
    files = collection_path.rglob("test_*.py") if collection_path.is_dir() else [collection_path]
    return None if any("new_rule" in file.read_text(encoding="utf-8") for file in files) else True


def pytest_collection_finish():
    """Keep what was collected out of each later search for garbage: thousands of tests are half a second of it."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    PROCESSES.use = PROCESSES.wanted and item.get_closest_marker("real_processes") is None


def pytest_unconfigure():
    PROCESSES.close()


def creators():
    """Return the creators in the reference runtime's registry, where a test has imported the runtime."""
    runtime = sys.modules.get("reference_runtime")
    return [] if runtime is None else list(runtime.get_plugin_registry().all_creators)


@pytest.fixture(autouse=True)
def registry_as_before():
    """Take out the creators that a test leaves in the registry: a later test registers others of their names."""
    before = {id(creator) for creator in creators()}
    yield
    for creator in [creator for creator in creators() if id(creator) not in before]:
        sys.modules["reference_runtime"].get_plugin_registry().deregister_creator(creator)


def is_lasting(fixture):
    """Whether it is a fixture that several tests share, and not one of pytest or of a plugin."""
    return fixture.scope != "function" and fixture.baseid and fixture.argname != "closes_what_its_tests_open"


def pytest_fixture_setup(fixturedef):
    if is_lasting(fixturedef):
        LASTING.add(fixturedef.argname)


def pytest_fixture_post_finalizer(fixturedef):
    if is_lasting(fixturedef):
        LASTING.discard(fixturedef.argname)


@pytest.fixture(scope="module", autouse=True)
def closes_what_its_tests_open():
    """Fail the last test of a module if they share what is left."""
    before = leaks.seen()
    yield
    insist_on_nothing_left(before)


@pytest.fixture(autouse=True)
def closes_what_it_opens(request):
    """Fail the test that leaves files, threads or processes, not the one in which the garbage collector finds them."""
    before = leaks.seen()
    yield
    if not LASTING & set(request.fixturenames):
        insist_on_nothing_left(before)


def lasting():
    """Return the numbers of the files and of the processes that stay: the template, and stand-ins that are loaded."""
    numbers, pids = PROCESSES.lasting()
    stand_ins = sys.modules.get("reference_runtime.native.elf.loading")
    kept = [] if stand_ins is None else stand_ins._Process.kept
    return numbers | {each for each in kept if isinstance(each, int)}, pids


def insist_on_nothing_left(before):
    left = [each for each in leaks.since(before, lasting()) if each not in TOLD]
    TOLD.update(left)
    if left:
        pytest.fail("left open: " + ", ".join(left), pytrace=False)


@pytest.fixture
def pytester(pytester, monkeypatch):
    """Pytest's own, whose runs of pytest are forked from a process that has everything loaded."""
    start = pytester.popen

    def popen(command, stdout, stderr, **options):
        command = [str(word) for word in command]
        if not PROCESSES.use or not is_plain_pytest(command):
            return start(command, stdout, stderr, **options)
        folders = [str(pathlib.Path.cwd()), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}
        return PROCESSES.pytest(arguments_of(command), stdout=stdout, stderr=stderr, environment=environment)

    monkeypatch.setattr(pytester, "popen", popen)
    return pytester
