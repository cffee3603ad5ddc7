"""The matrix: ``nox`` runs the tests on every supported Python."""

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["tests"]


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Install the package with its development tools and run the tests."""
    session.install("-e", ".[dev,docs,genuine,numba,onnx]")
    session.run("pytest", "-n", "2", *session.posargs)


@nox.session(python="3.11")
def technologies(session: nox.Session) -> None:
    """Run the tests of what plugins compute with, torch and Triton included: downloads of gigabytes."""
    session.install("-e", ".[dev,numba]", "torch", "triton")
    session.run("pytest", "tests/plugin_examples", "tests/reference_runtime/bridges", *session.posargs)


@nox.session(python="3.11")
def docs(session: nox.Session) -> None:
    """Build the documentation site into build/site; warnings are errors."""
    session.install("-e", ".[docs]")
    session.run("mkdocs", "build", "--strict", env={"NO_MKDOCS_2_WARNING": "1"})
