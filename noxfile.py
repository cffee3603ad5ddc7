"""The matrix: ``nox`` runs the tests on every supported Python."""

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["tests"]


def _install(session: nox.Session, *what: str) -> None:
    """Install with a pip that knows groups of dependencies, which the one of a new environment may not."""
    session.install("--upgrade", "pip>=25.1")
    session.install(*what)


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Install the package with its development tools and run the tests."""
    _install(session, "-e", ".[numba,onnx]", "--group", "dev")
    session.run("pytest", "-n", "2", *session.posargs)


@nox.session(python="3.11")
def nightly(session: nox.Session) -> None:
    """Run the tests that take long, with new interpreters in place of forks; then those beside other plugins."""
    _install(session, "-e", ".[numba,onnx]", "--group", "dev")
    session.install("--group", "rtx", success_codes=[0, 1])  # 1: there is no wheel; the tests that need it are skipped
    beside = "tests/integration/runs/test_neighbours.py"
    command = ["pytest", "-n", "auto", "--dist", "loadgroup", "-p", "randomly", "-m", "nightly", f"--ignore={beside}"]
    session.run(*command, *session.posargs, env={"TRT_TESTS_FORK": "0"})
    session.notify("neighbours")


@nox.session
def neighbours(session: nox.Session) -> None:
    """Certify beside other plugins of pytest, one after the other and all at once."""
    _install(session, "-e", ".", "--group", "neighbours")
    here = [f"-pno:{name}" for name in ("asyncio", "randomly", "sugar")]  # not for the tests that start the runs
    session.run("pytest", *here, "-m", "nightly", "tests/integration/runs/test_neighbours.py", *session.posargs)


@nox.session(python="3.11")
def technologies(session: nox.Session) -> None:
    """Run the tests of what plugins compute with, torch and Triton included: downloads of gigabytes."""
    _install(session, "-e", ".[numba]", "--group", "dev", "torch", "triton")
    tests = ("tests/integration/examples/test_technologies.py", "tests/reference_runtime/bridges")
    session.run("pytest", *tests, "tests/harness/child/test_process_state.py", *session.posargs)


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """Build the documentation site into build/site; warnings are errors."""
    _install(session, "-e", ".", "--group", "docs")
    session.run("mkdocs", "build", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})
