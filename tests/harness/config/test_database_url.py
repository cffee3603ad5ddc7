"""A database is a folder or a URL, and its password is not printed."""

from pathlib import Path

import pytest

from harness.config.database_url import located, shown


def test_a_folder_is_seen_from_where_the_user_is_and_a_url_from_anywhere():
    assert located("shared", Path("/here")) == "/here/shared"
    assert located("redis://host/0", Path("/here")) == "redis://host/0"


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("", ""),
        ("/a/folder", "/a/folder"),
        ("redis://host:6379/0", "redis://host:6379/0"),
        ("redis://me:secret@host:6379/0?password=secret", "redis://***@host:6379/0"),
        ("unix:///run/redis.sock?password=secret", "unix:///run/redis.sock"),
    ],
)
def test_a_password_is_not_shown(where, words):
    assert shown(where) == words
