"""What several tests of the harness share."""

import os

import pytest

from harness.process.flight_recorder import FlightRecorder
from tests.support.certificates import issued, stubs  # noqa: F401 - fixtures
from tests.support.certification import certify, certify_as_a_user  # noqa: F401 - fixtures
from tests.support.controller.section import section  # noqa: F401 - a fixture
from tests.support.report_documents import check_formats, make, report_validator, sarif_validator  # noqa: F401 - fixtures


@pytest.fixture
def box():
    """A flight recorder that this process writes."""
    file = os.memfd_create("box")
    box = FlightRecorder.on(file)
    os.close(file)
    box.take_over()
    yield box
    box.close()
