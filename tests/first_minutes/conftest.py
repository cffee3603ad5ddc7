"""What all whole runs of the first minutes share."""

from tests.support.certification import certify_as_a_user  # noqa: F401 - a fixture
