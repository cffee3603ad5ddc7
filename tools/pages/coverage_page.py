"""Write contributing/contract_coverage.md: each rule of the contract, implemented or with a reason."""

import itertools
import re

from harness.contract.rule import APPLICATIONS

OPEN, TESTED = "open: ", "tested: "
#: Families of this project that are not part of TensorRT's contract.
OURS = ("APP", "FUZ")
#: The kinds of subjects. A rule is about plugins and their creators, unless its interfaces or contract.json differ.
KINDS = ("plugin", "application", "REF", "C++-only")
#: ``* REG-003, REG-004: reason``, which may continue in indented lines.
_ENTRY = re.compile(r"^\* ((?:[A-Z][A-Z0-9]+-\d{3}, )*[A-Z][A-Z0-9]+-\d{3}): (.+(?:\n  .+)*)$", re.MULTILINE)


def reasons(text):
    """Return why each rule is not implemented, from the first chapter of docs/contributing/excused_rules.md."""
    chapter = text.partition("\n# ")[0]
    return {rule: " ".join(entry[2].split()) for entry in _ENTRY.finditer(chapter) for rule in entry[1].split(", ")}


def rules_of(families, implemented, titles):
    """Return the ids of all rules of the contract by family: implemented rules, and those with a title."""
    known = sorted({*implemented, *titles})
    return [rule for family in families if family not in OURS for rule in known if _family(rule) == family]


def kind_of(rule, implemented, kinds):
    """Return the subject of a rule."""
    if rule in implemented:
        return "application" if implemented[rule].interfaces == APPLICATIONS else "plugin"
    return next((kind for kind, names in kinds.items() if rule in names or _family(rule) in names), "plugin")


def tests_of(reason):
    """Return the tests that a reason names, each as a file and a function; the function may be empty."""
    return [tuple(name.partition("::")[::2]) for name in re.findall(r"`(tests/[\w/.:]+)`", reason)]


def page(contract, families, implemented, matrix, excused):
    """Return the page.

    Args:
        contract: The content of tests/data/contract.json. It has titles and kinds of rules that are not implemented,
            and reasons why no example exercises a rule.
        families: The title of each family.
        implemented: Each implemented rule, by its id.
        matrix: The content of tests/data/kill_matrix.json.
        excused: Why each of the other rules is not implemented, by its id.
    """
    rules = rules_of(families, implemented, contract["titles"])
    lines = [
        "# Coverage of the contract",
        "",
        "This page lists every known rule of the contract, by family. *Witnessed*: the number of injected faults that",
        "break the rule ([kill matrix](kill_matrix.md)). *Exercised*: the correct examples on which the rule passed.",
        "*Tested*: a duty of the reference runtime, with the name of its test. A rule that is not implemented or not",
        "exercised has a reason; *open* means that the rule is planned.",
        "",
        *_summary(rules, implemented, matrix, excused),
        "",
        "Some rules are about plugins and their creators, some about applications that call TensorRT. Others are about",
        "the reference runtime itself (REF), or about C++ alone.",
        "",
        *_kinds(rules, contract["kinds"], implemented, excused),
    ]
    for family, group in itertools.groupby(rules, key=_family):
        lines += ["", f"## {family}: {families[family]}", ""]
        lines += ["| rule | requirement | witnessed | exercised on |", "|---|---|---|---|"]
        lines += [_row(rule, contract, implemented, matrix, excused) for rule in group]
    return "\n".join(lines) + "\n"


def _summary(rules, implemented, matrix, excused):
    lines = [
        "| family | defined | implemented | witnessed | exercised | tested | excused | open |",
        "|---|---|---|---|---|---|---|---|",
    ]
    rows = [
        (family, *_counts(list(group), implemented, matrix, excused))
        for family, group in itertools.groupby(rules, key=_family)
    ]
    total = ("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:]))
    return lines + [f"| {' | '.join(map(str, row))} |" for row in [*rows, total]]


def _counts(rules, implemented, matrix, excused):
    here = [rule for rule in rules if rule in implemented]
    absent = [rule for rule in rules if rule not in implemented]
    tested, excuses = _settled(absent, excused)
    witnessed = sum(bool(_witnesses(rule, matrix)) for rule in here)
    exercised = sum(bool(_exercised(rule, matrix)) for rule in here)
    return len(rules), len(here), witnessed, exercised, tested, excuses, len(absent) - tested - excuses


def _settled(absent, excused):
    """Return the numbers of tested and of excused rules among those that are not implemented."""
    reasons_of = [excused.get(rule, OPEN) for rule in absent]
    tested = sum(reason.startswith(TESTED) for reason in reasons_of)
    return tested, sum(not reason.startswith((OPEN, TESTED)) for reason in reasons_of)


def _kinds(rules, kinds, implemented, excused):
    lines = ["| kind | defined | implemented | tested | excused | open |", "|---|---|---|---|---|---|"]
    for kind in KINDS:
        members = [rule for rule in rules if kind_of(rule, implemented, kinds) == kind]
        absent = [rule for rule in members if rule not in implemented]
        tested, excuses = _settled(absent, excused)
        numbers = len(members), len(members) - len(absent), tested, excuses, len(absent) - tested - excuses
        lines.append(f"| {kind} | {' | '.join(map(str, numbers))} |")
    return lines


def _row(rule, contract, implemented, matrix, excused):
    if rule in implemented:
        requirement = implemented[rule].requirement.replace("``", "`").replace("|", "\\|")
        return f"| {rule} | {requirement} | {_witnesses(rule, matrix)} | {_where(rule, contract, matrix)} |"
    title, reason = contract["titles"].get(rule, ""), excused.get(rule, "no reason is given")
    how = f"Tested: {reason[len(TESTED) :]}" if reason.startswith(TESTED) else f"Not implemented: {reason}"
    return f"| {rule} | {f'*{title}*. ' if title else ''}{how} | | |"


def _where(rule, contract, matrix):
    names = _exercised(rule, matrix)
    if not names:
        return f"its witnesses only: {contract['not_exercised'].get(rule, 'no reason is given')}"
    return "all" if names == list(matrix["examples"]) else f"`{', '.join(names)}`"


def _witnesses(rule, matrix):
    return sum(entry["breaks"] == rule for entry in matrix["witnesses"].values())


def _sound(matrix):
    """Return the entries of the correct plugins, then those of the correct applications."""
    return {**matrix["examples"], **matrix.get("applications", {})}


def exercised(matrix):
    """Return the rules that made a finding on any of the examples."""
    return {rule for entry in _sound(matrix).values() for rule in entry["exercised"]}


def _exercised(rule, matrix):
    return [name for name, entry in _sound(matrix).items() if rule in entry["exercised"]]


def _family(rule):
    return rule.partition("-")[0]
