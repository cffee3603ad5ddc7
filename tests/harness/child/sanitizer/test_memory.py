"""An address is told by the tensor that it lies in or beside."""

import pytest

from harness.child.sanitizer.memory import Piece, nearest

X = Piece("inputs[0]", 0x1000, 40)
Y = Piece("outputs[0]", 0x2000, 40)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (0x1000, "byte 0 of inputs[0] (40 bytes)"),
        (0x1000 + 39, "byte 39 of inputs[0] (40 bytes)"),
        (0x1000 + 40, "right behind the end of inputs[0] (40 bytes)"),
        (0x1000 + 44, "4 bytes behind the end of inputs[0] (40 bytes)"),
        (0x1000 - 4, "4 bytes before inputs[0] (40 bytes)"),
    ],
)
def test_where_an_address_lies(address, words):
    piece = nearest([Y, X], address)
    assert piece is X
    assert piece.beside(address) == words


@pytest.mark.parametrize("address", [None, 0x10, 0x7F0000000000])
def test_an_address_that_is_far_from_everything(address):
    far = [Piece("inputs[0]", 1 << 32, 40)]
    assert nearest(far, address) is None
    assert nearest([], address) is None
