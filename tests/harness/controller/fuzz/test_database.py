"""Failing examples in a database of Hypothesis: in a folder, and in Redis, where an object stands in for the server."""

import dataclasses
import sys
import types

import pytest
from hypothesis.database import InMemoryExampleDatabase

from harness.controller.fuzz.database import DatabaseError, DatabaseMemory, opened
from harness.protocol.messages import ChildSettings, Request

SMALL, LARGE = {"shapes": [[1, 7]]}, {"shapes": [[1, 23]]}
REQUEST = Request("FUZ-003", "/Bar/1", "rows", seed=3, examples=[SMALL])
CHILD = ChildSettings("bar", path=("/a",))


def asking(*examples, **changes):
    return dataclasses.replace(REQUEST, examples=list(examples), **changes)


@pytest.fixture(params=["memory", "folder", "redis"])
def database(request, tmp_path):
    if request.param == "memory":
        return InMemoryExampleDatabase()
    request.getfixturevalue("redis")
    return opened(str(tmp_path / "shared") if request.param == "folder" else "redis://host")


@pytest.fixture
def redis(monkeypatch):
    """Put a module in the place of ``redis``, whose client keeps sets in this process."""
    module = types.ModuleType("redis")
    module.RedisError = type("RedisError", (Exception,), {})
    module.Redis = Client
    monkeypatch.setattr(Client, "servers", {"redis://host": {}}, raising=False)
    monkeypatch.setattr(Client, "error", module.RedisError, raising=False)
    monkeypatch.setitem(sys.modules, "redis", module)
    monkeypatch.delitem(sys.modules, "hypothesis.extra.redis", raising=False)
    yield module
    sys.modules.pop("hypothesis.extra.redis", None)


class Client:
    """As much of a client of Redis as Hypothesis uses, which is its own pipeline."""

    def __init__(self, sets):
        self.sets = sets
        self.done = []

    @classmethod
    def from_url(cls, url):
        if not url.startswith("redis://"):
            raise ValueError(f"no such thing as {url}")
        return cls(cls.servers.get(url))

    def ping(self):
        if self.sets is None:
            raise self.error("connection refused")

    def pipeline(self):
        return self

    def sadd(self, key, value):
        self.done.append(int(value not in self.sets.setdefault(key, set())))
        self.sets[key].add(value)

    def srem(self, key, value):
        self.done.append(int(value in self.sets.get(key, ())))
        self.sets.get(key, set()).discard(value)

    def smembers(self, key):
        self.done.append(set(self.sets.get(key, ())))

    def expire(self, _key, _after):
        self.done.append(1)

    def publish(self, _channel, _message):
        return 0

    def execute(self):
        done, self.done = self.done, []
        return done


def test_what_one_keeps_another_finds_until_anybody_forgets_it(database):
    here, there = DatabaseMemory(database, CHILD), DatabaseMemory(database, CHILD)
    assert there.saved(REQUEST) == []
    here.keep(asking(LARGE))
    here.keep(asking(SMALL))
    here.keep(asking(SMALL))
    assert there.saved(asking(seed=9)) == [SMALL, LARGE], "the shortest first"
    there.forget(asking(SMALL))
    assert here.saved(REQUEST) == [LARGE]
    there.forget(asking(SMALL))
    assert here.saved(REQUEST) == [LARGE]


@pytest.mark.parametrize("change", [{"rule": "FUZ-001"}, {"plugin": "/Other/1"}, {"case": "images"}])
def test_every_rule_on_every_case_has_its_own(change):
    memory = DatabaseMemory(InMemoryExampleDatabase(), CHILD)
    memory.keep(REQUEST)
    assert memory.saved(dataclasses.replace(REQUEST, **change)) == []


@pytest.mark.parametrize("child", [ChildSettings("other"), ChildSettings("bar", spec="11")])
def test_another_module_or_level_has_its_own(child):
    database = InMemoryExampleDatabase()
    DatabaseMemory(database, CHILD).keep(REQUEST)
    assert DatabaseMemory(database, child).saved(REQUEST) == []


def test_a_file_is_the_same_module_in_any_folder():
    database = InMemoryExampleDatabase()
    DatabaseMemory(database, ChildSettings("/home/a/bar.py")).keep(REQUEST)
    assert DatabaseMemory(database, ChildSettings("src/bar.py")).saved(REQUEST) == [SMALL]


def test_what_is_none_of_ours_is_left_alone():
    database = InMemoryExampleDatabase()
    memory = DatabaseMemory(database, CHILD)
    memory.keep(REQUEST)
    database.save(memory._key(REQUEST), b"\x00\xffno JSON")
    assert memory.saved(REQUEST) == [SMALL]


def test_a_folder_is_made(tmp_path):
    opened(str(tmp_path / "new" / "folder"))
    assert (tmp_path / "new" / "folder").is_dir()


def test_what_is_no_database_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DatabaseError, match="it is no folder"):
        opened(str(tmp_path / "file"))
    with pytest.raises(DatabaseError, match="give a folder, or a URL that begins with redis://, rediss://, unix://"):
        opened("https://example.org/database")


@pytest.mark.usefixtures("redis")
@pytest.mark.parametrize("where", ["redis://elsewhere", "unix://no-such-thing"])
def test_a_server_that_does_not_answer_is_told_at_once(where):
    with pytest.raises(DatabaseError, match="no Redis server that answers: "):
        opened(where)


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(DatabaseError, match=r"pip install .*\[redis\]"):
        opened("redis://host")
