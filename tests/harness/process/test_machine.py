"""A machine is named by its hardware and software, so that two that differ are told apart."""

import platform

import numpy as np

from harness.process.machine import driver, identity


def test_without_a_driver_there_is_no_version(tmp_path):
    assert not driver(tmp_path / "nothing")


def test_the_driver_tells_its_version(tmp_path):
    file = tmp_path / "version"
    file.write_text(
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\nGCC version: 1.2\n"
    )
    assert driver(file) == "580.159.04"


def test_an_identity_is_the_same_each_time_and_names_what_counts():
    found = identity()
    assert found == identity()
    assert found["python"].endswith(platform.python_version())
    assert found["numpy"] == np.__version__
    assert found["cpu"]
