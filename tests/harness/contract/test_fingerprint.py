"""What was seen, without numbers and folders."""

import pytest

from harness.contract.fingerprint import without_folders, without_numbers


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("at /home/me/src/pipeline.py:18, then", "at pipeline.py:18, then"),
        ("No such file: '/tmp/x/weights.bin'", "No such file: 'weights.bin'"),
        ("/Bar/1 of acme/Foo/2", "/Bar/1 of acme/Foo/2"),
        ("3/4 of all", "3/4 of all"),
        ("", ""),
    ],
)
def test_files_are_named_by_their_last_part_and_all_else_stays(told, left):
    assert without_folders(told) == left


def test_numbers_become_marks():
    assert without_numbers("3 of 12 at (1, 2), 0x7f, float16") == "# of # at (#), # float16"


def test_a_tensor_keeps_its_number():
    assert without_numbers("outputs[10][1, 2], inputs[3], dims[3]") == "outputs[10][#], inputs[3], dims[#]"


@pytest.mark.parametrize("part", ["x", "/", "x/", "1", "1,", "a.", " "])
def test_a_long_text_takes_no_longer_than_its_length(part):
    told = part * 300_000
    assert len(without_numbers(without_folders(told))) <= len(told)
