"""Subjects whose device is in use."""

import contextlib
import dataclasses

from harness.contract.interface import Interface
from reference_runtime.devices.host import use
from tests.support.workbench import subject_of as plain_subject


@contextlib.contextmanager
def subject_of(creator, case, interface=Interface.V2_DYNAMIC):
    """Give a subject, whose device is in use as long as this lasts."""
    subject = dataclasses.replace(plain_subject(creator, case), interface=interface)
    with use(subject.device):
        yield subject
