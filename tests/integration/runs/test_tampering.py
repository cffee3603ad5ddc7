"""Every edit of a certificate, of a file or of the rules is seen: a walk over all of them."""

import copy
import dataclasses
import json
import re
import shutil

import pytest
from msgspec import structs

from harness.certificate.statement import digest_of
from harness.certificate.verifying import Installed
from harness.contract import catalogue
from harness.contract.extra_tools import ALL
from harness.contract.rule import Severity


def places(value, path=()):
    """Every place in plain data, from the outermost in."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in items:
        yield from places(held, (*path, key))


def other(value):
    """Other values than this leaf, of the same type and of another."""
    if isinstance(value, bool):
        return [not value, None, int(value)]
    if isinstance(value, (int, float)):
        return [value + 1, str(value)]
    if isinstance(value, str):
        swapped = f"{'b' if value[:1] == 'a' else 'a'}{value[1:]}"
        return [swapped, value[:-1] if value else "y", None]
    return [0, "", "null", False]


def edits_at(path, value):
    """What to put in the place of a value; for the item of a list, or the key of an object, what to do with it."""
    if isinstance(value, dict):
        yield "add a key", {**value, "added": 1}
        for key in value:
            yield f"remove {key}", {each: held for each, held in value.items() if each != key}
            yield f"rename {key}", {(f"{each}2" if each == key else each): held for each, held in value.items()}
    elif isinstance(value, list):
        yield "append", [*value, copy.deepcopy(value[-1]) if value else "added"]
        for index in range(len(value)):
            yield f"remove [{index}]", value[:index] + value[index + 1 :]
            yield f"repeat [{index}]", value[:index] + value[index : index + 1] + value[index:]
            if index and value[index] != value[index - 1]:
                yield f"swap [{index}]", [*value[: index - 1], value[index], value[index - 1], *value[index + 1 :]]
    else:
        yield from ((f"make it {each!r}", each) for each in other(value))
    if path and isinstance(value, (dict, list)):
        yield "make it null", None


def edited(plain, path, value):
    """A copy with another value in one place."""
    if not path:
        return value
    made = copy.deepcopy(plain)
    at = made
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return made


def edits(plain):
    for path, value in places(plain):
        for how, instead in edits_at(path, value):
            yield path, how, edited(plain, path, instead)


def edits_of_each_kind(plain):
    """The first and the last edit of each kind: lists have many items that are alike."""
    first, last = {}, {}
    for path, value in places(plain):
        for how, instead in edits_at(path, value):
            kind = (tuple(key for key in path if isinstance(key, str)), re.sub(r"\d+|'.*'", "N", how), type(value))
            last[kind] = (path, how, instead)
            first.setdefault(kind, last[kind])
    for path, how, instead in [*first.values(), *(last[kind] for kind in first if last[kind] is not first[kind])]:
        yield path, how, edited(plain, path, instead)


def test_a_certificate_that_nobody_touched_holds(issued):
    found = issued.check()
    assert found.problems == found.shortcomings == ()


def test_every_edit_of_a_certificate_is_detected(issued):
    seen = 0
    for path, how, plain in edits(issued.plain):
        assert issued.check(plain).problems, (path, how)
        seen += 1
    assert seen > 1000


#: What somebody who recomputes the digest can say without anything contradicting it: that is what signatures are for.
UNSEEN = {
    "predicate.url",
    "predicate.trtConformance.issued",
    "predicate.trtConformance.system",
    "predicate.trtConformance.gpus",
    "predicate.trtConformance.tool.name",
    "predicate.trtConformance.tool.version",
    "predicate.trtConformance.versions",
    "predicate.trtConformance.versions.hypothesis",
    "predicate.trtConformance.versions.numpy",
    "predicate.trtConformance.versions.pytest",
    "predicate.trtConformance.versions.pytest-trt-conformance",
    "predicate.trtConformance.versions.python",
    "predicate.trtConformance.modules.name",
    "predicate.trtConformance.notRun",
    "predicate.trtConformance.notRun.reason",
    "predicate.trtConformance.plugins.creator",
    "predicate.trtConformance.plugins.inferred",
    "predicate.trtConformance.plugins.file",
    "predicate.trtConformance.plugins.spec",
    "predicate.trtConformance.plugins.device",
    "predicate.trtConformance.plugins.standIns",
    "predicate.trtConformance.plugins.kernelsExecuted",
    "predicate.trtConformance.plugins.rules.broken",
    "predicate.trtConformance.plugins.rules.device",
    "predicate.trtConformance.plugins.rules.reason",
    "predicate.trtConformance.plugins.rules.blockedBy",
    "predicate.trtConformance.plugins.rules.fingerprint",
}


def resealed(plain):
    """The certificate with the digest that its content has now, as a careful forger would leave it."""
    try:
        digest = digest_of(plain)
    except (AttributeError, KeyError, TypeError):  # there is no place for it any more
        return plain
    return edited(plain, ("predicate", "trtConformance", "digest"), {"sha256": digest})


def test_what_fits_together_no_more_is_detected_even_with_the_digest_recomputed(issued):
    unseen = set()
    for path, how, plain in edits(issued.plain):
        if not issued.check(resealed(plain)).problems:
            words = [key for key in path if isinstance(key, str)]
            removed = re.fullmatch(r"remove (\w+)", how)
            unseen.add(".".join(words if "versions" in words else [*words, *(removed.groups() if removed else ())]))
    unseen.discard("predicate.trtConformance.digest.sha256")  # this is put right again by the very recomputation
    unseen.discard("predicate.trtConformance.digest")
    unseen.discard("predicate.trtConformance")
    assert unseen <= UNSEEN, unseen - UNSEEN


def verdict_turned(plain, old, new):
    for index, case in enumerate(plain["predicate"]["trtConformance"]["plugins"]):
        for at, rule in enumerate(case["rules"]):
            if rule["verdict"] == old:
                path = ("predicate", "trtConformance", "plugins", index, "rules", at, "verdict")
                yield resealed(edited(plain, path, new))


@pytest.mark.parametrize(
    ("old", "new"), [("WARN", "PASS"), ("NOT-RUN", "PASS"), ("PASS", "FAIL"), ("N/A", "PASS"), ("PASS", "N/A")]
)
def test_a_verdict_that_is_turned_alone_contradicts_the_rest(issued, old, new):
    forged = list(verdict_turned(issued.plain, old, new))
    assert forged
    assert all(issued.check(plain).problems for plain in forged)


def test_a_forger_who_adapts_everything_is_not_detected_without_a_signature(issued):
    """The page says so: this is the limit of a digest."""
    text = json.dumps(issued.plain).replace("needs a GPU", "needs a bigger GPU")
    assert not issued.check(resealed(json.loads(text))).problems


@pytest.fixture
def copied(issued, tmp_path):
    shutil.copytree(issued.folder, tmp_path, dirs_exist_ok=True)
    return dataclasses.replace(issued, folder=tmp_path)


def subjects(issued):
    return [issued.folder / resource["name"] for resource in issued.plain["subject"]]


def test_every_flipped_byte_of_every_file_is_detected(copied):
    assert len(subjects(copied)) == 3
    for file in subjects(copied):
        whole = file.read_bytes()
        for index in range(len(whole)):
            file.write_bytes(whole[:index] + bytes([whole[index] ^ 1]) + whole[index + 1 :])
            (problem,) = copied.check().problems
            assert f"{file.relative_to(copied.folder)} is not the file that was certified" in problem
        file.write_bytes(whole)
    assert not copied.check().problems


@pytest.mark.parametrize("name", ["new.py", "cuda/new.cu", "deeper/new.txt", ".hidden", "kernels.pyc"])
def test_a_file_that_was_added_to_the_package_is_detected(copied, name):
    added = copied.folder / "src" / "my_plugins" / name
    added.parent.mkdir(exist_ok=True)
    added.touch()
    (problem,) = copied.check().problems
    assert f"src/my_plugins has files that were not certified: {name}" in problem


def test_what_python_compiled_does_not_count(copied):
    cache = copied.folder / "src" / "my_plugins" / "__pycache__"
    cache.mkdir(exist_ok=True)
    (cache / "new.cpython-311.pyc").touch()
    assert not copied.check().problems


def test_a_file_that_is_gone_or_became_a_folder_is_detected(copied):
    for file in subjects(copied):
        whole = file.read_bytes()
        file.unlink()
        assert any("is not there" in problem for problem in copied.check().problems)
        file.mkdir()
        assert any("is not there" in problem for problem in copied.check().problems)
        file.rmdir()
        file.write_bytes(whole)


def other_rules(rules):
    """Every small change of a catalogue, and of two of its rules."""
    for name, rule in list(rules.items())[:2]:
        yield {key: value for key, value in rules.items() if key != name}
        yield {**rules, name: dataclasses.replace(rule, severity=Severity.WARNING, level=1)}
        yield {**rules, name: dataclasses.replace(rule, source=dataclasses.replace(rule.source, section="another"))}
        yield {**rules, name: dataclasses.replace(rule, judge=another_judge)}
    yield {**rules, "NEW-001": dataclasses.replace(rule, id="NEW-001")}


def another_judge(subject):
    """Judges otherwise."""


@pytest.mark.usefixtures("stubs")
def test_every_change_of_the_rules_is_detected(issued):
    catalogues = list(other_rules(catalogue.load(ALL).rules))
    assert len(catalogues) == 9
    for rules in catalogues:
        installed = Installed.of(catalogue.Catalogue(rules))
        (problem,) = dataclasses.replace(issued, installed=installed).check().problems
        assert "the rules that judged it are not those installed here" in problem
        assert not dataclasses.replace(issued, installed=installed).check(other_rules=True).problems


def test_other_code_below_the_same_rules_is_detected(issued):
    code = {**issued.installed.rules.code, "harness": "0" * 64}
    installed = structs.replace(issued.installed, rules=dataclasses.replace(issued.installed.rules, code=code))
    (problem,) = dataclasses.replace(issued, installed=installed).check().problems
    assert "(the code of harness)" in problem
