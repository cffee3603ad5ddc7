"""TOML is read on every version of Python, and what is none is a ``ValueError``."""

import pytest

from harness.config import toml


def test_bytes_are_read():
    assert toml.parsed(b"a.b = [1, 'x']") == {"a": {"b": [1, "x"]}}


@pytest.mark.parametrize("content", [b"a = = 1", b"a = '\xff'"])
def test_anything_else_is_an_error(content):
    with pytest.raises(ValueError):  # noqa: PT011 - of TOML or of UTF-8
        toml.parsed(content)
