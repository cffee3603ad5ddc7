"""What tests of whole runs share."""

from tests.support.certificates import issued, stubs  # noqa: F401 - fixtures
from tests.support.certification import certify, certify_as_a_user  # noqa: F401 - fixtures
