"""Work that is spread over processes ends at its deadline, and what is done is kept."""

import os

from tools.deadline import Deadline, in_processes


def test_without_minutes_there_is_always_time():
    assert Deadline().left > 1e9
    assert Deadline(1).left <= 60


def test_each_piece_is_worked_on_in_another_process():
    done = dict(in_processes(lambda piece: (piece * 2, os.getpid()), [1, 2, 3], 2, Deadline()))
    assert {piece: result for piece, (result, _) in done.items()} == {1: 2, 2: 4, 3: 6}
    assert os.getpid() not in {process for _, process in done.values()}


def test_what_is_late_is_left_out():
    assert list(in_processes(lambda piece: piece, [1, 2], 1, Deadline(0))) == []
    late = dict(in_processes(lambda piece: None if piece == 2 else piece, [1, 2], 1, Deadline()))
    assert late == {1: 1}
