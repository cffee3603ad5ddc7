"""The matrix: ``nox`` runs the tests on every supported Python."""

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["tests"]


@nox.session(python=["3.10", "3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Install the package with its development tools and run the tests."""
    session.install("-e", ".[dev,genuine,onnx]")
    session.run("pytest", "-n", "2", *session.posargs)
