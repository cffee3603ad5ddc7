"""A whole is split into parts that add up."""

import pytest

from harness.contract.shard import WHOLE, Shard, parts


def test_the_whole_is_one_part_of_one():
    assert parts(1) == (WHOLE,)
    assert (WHOLE.is_whole, WHOLE.is_first, WHOLE.share(50)) == (True, True, 50)


def test_parts_have_names_and_one_of_them_is_the_first():
    assert [str(each) for each in parts(3)] == ["1/3", "2/3", "3/3"]
    assert [each.is_first for each in parts(3)] == [True, False, False]
    assert not any(each.is_whole for each in parts(3))


@pytest.mark.parametrize(("total", "number"), [(50, 1), (50, 4), (7, 7), (1000, 3)])
def test_shares_add_up(total, number):
    shares = [each.share(total) for each in parts(number)]
    assert sum(shares) == total
    assert max(shares) - min(shares) <= 1


def test_no_part_is_without_anything():
    assert [each.share(2) for each in parts(4)] == [1, 1, 1, 1]
    assert Shard(2, 4).share(0) == 1
