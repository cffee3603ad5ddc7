"""Failing examples in a database of Hypothesis: in memory and in a folder."""

import dataclasses

import pytest
from hypothesis.database import InMemoryExampleDatabase

from harness.controller.fuzz.database import DatabaseError, DatabaseMemory, opened
from harness.protocol.messages import ChildSettings, Request

SMALL, LARGE = {"shapes": [[1, 7]]}, {"shapes": [[1, 23]]}
REQUEST = Request("FUZ-003", "/Bar/1", "rows", seed=3, examples=[SMALL])
CHILD = ChildSettings("bar", path=("/a",))


def asking(*examples, **changes):
    return dataclasses.replace(REQUEST, examples=list(examples), **changes)


@pytest.fixture(params=["memory", "folder"])
def database(request, tmp_path):
    if request.param == "memory":
        return InMemoryExampleDatabase()
    return opened(str(tmp_path / "shared"))


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
