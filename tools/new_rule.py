#!/usr/bin/env python3
"""Write the stubs of a new rule (its source, its function, its witness), and print the next steps.

    python tools/new_rule.py FAMILY DEFECT      # for example: WSP workspace_in_bits

FAMILY is the letters of a family, or a module of conformance/rules; DEFECT names the module of the witness. The rule
gets the family's next free id. Its stub yields no finding, so the tests fail until you fill it in.
"""

import argparse
import ast
import collections
import dataclasses
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = pathlib.Path("conformance", "rules")
SOURCES = pathlib.Path("conformance", "sources")
FAULTY = pathlib.Path("plugin_examples", "faulty")
CONTRACT = pathlib.Path("tests", "data", "contract.json")
#: Keywords of the decorator that a new rule copies from most rules of its family; the author writes the others.
SHARED = ("interfaces", "requires", "strategy")
SOURCE = '{name} = Source("the document", "the section: what it says", ALL)\n'
RULE = '''

@rule("{id}", source={source}{shared})
def {name}({arguments}) -> Iterator[Finding]:
    """State what holds for a good plugin, in one line.

    Then say why it matters.
    """
    yield from ()  # one check(...) for each question
'''
PLUGIN = '''"""Says what is wrong, in one line."""

from plugin_examples.faulty.bases.sound_scale import SCALE_CASES, Scale, publish

BREAKS = "{id}"

PLUGIN_CASES = SCALE_CASES


class {name}(Scale):
    """Override what is faulty, and nothing else."""


publish({name})
'''
APPLICATION = '''"""Says what is wrong, in one line."""

from plugin_examples.faulty.bases import sound_pipeline as pipeline

BREAKS = "{id}"
PLUGIN_APPS = ["main"]


def main():
    context = pipeline.relu_engine().create_execution_context()
    pipeline.set_shape(context, 3)
'''
NEXT = """{id}. Fill in:
  {source}: the source of the requirement
  {rule}: the rule
  {witness}: the witness
     (other witnesses of the family: {folder}; correct plugins to derive from: plugin_examples/faulty/bases)
Then:
  ruff check . && ruff format . && mypy
  python tools/kill_matrix.py --rule {id}
  python tools/kill_matrix.py {defect}
  pytest -m new_rule
and add a line to CHANGELOG.md. CONTRIBUTING.md, "One more rule", says more."""


class NewRuleError(Exception):
    """The stubs cannot be written; the message says why."""


@dataclasses.dataclass(frozen=True)
class Place:
    """The place for a new rule of a family.

    Attributes:
        file: The module of rules.
        before: The preceding rule.
        decorator: The decorator of that rule.
    """

    file: pathlib.Path
    before: ast.FunctionDef
    decorator: ast.Call

    @property
    def family(self):
        """Return the letters of the family."""
        return self.decorator.args[0].value.partition("-")[0]

    @property
    def facts(self):
        """Return the keyword arguments of the decorator, each value as source text."""
        return {keyword.arg: ast.unparse(keyword.value) for keyword in self.decorator.keywords}


def rules_in(file):
    """Return the place after each rule of a module, in the order of the module."""
    functions = (node for node in ast.parse(file.read_text()).body if isinstance(node, ast.FunctionDef))
    calls = ((node, each) for node in functions for each in node.decorator_list if isinstance(each, ast.Call))
    return [Place(file, node, call) for node, call in calls if getattr(call.func, "id", "") == "rule"]


def all_rules(root):
    """Return ``{name of the module: places after its rules}``, with names like ``fuzzing.shapes``."""
    files = sorted((root / RULES).rglob("*.py"))
    by_name = {".".join(file.relative_to(root / RULES).with_suffix("").parts): rules_in(file) for file in files}
    return {name: places for name, places in by_name.items() if places}


def place_of(family, modules):
    """Return the place for the next rule of a family; ``family`` is its letters or its module.

    Raises:
        NewRuleError: The family does not exist, or several modules have rules of it.
    """
    named = [name for name in modules if name == family] or [n for n in modules if n.endswith(f".{family}")]
    named = named or [name for name, places in modules.items() if any(each.family == family for each in places)]
    if not named:
        letters = sorted({place.family for places in modules.values() for place in places})
        raise NewRuleError(f"there is no family {family!r}; there are {', '.join(letters)}")
    if len(named) > 1:
        raise NewRuleError(f"{family} has several modules; name one: {', '.join(named)}")
    places = modules[named[0]]
    letters = collections.Counter(place.family for place in places)
    chosen = family if family in letters else letters.most_common(1)[0][0]
    return next(place for place in reversed(places) if place.family == chosen)


def next_id(family, modules, titles):
    """Return the id after the last id of a family, including rules that are not implemented."""
    known = {place.decorator.args[0].value for places in modules.values() for place in places} | set(titles)
    return f"{family}-{max(int(rule[-3:]) for rule in known if rule.startswith(f'{family}-')) + 1:03}"


def checked(defect, root):
    """Return the name of a defect unchanged.

    Raises:
        NewRuleError: The name cannot be that of a module, or an example has it already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", defect):
        raise NewRuleError(f"{defect!r} is no name of a module: words of small letters and digits, joined by _")
    taken = next((root / FAULTY.parent).rglob(f"{defect}.py"), None)
    if taken:
        raise NewRuleError(f"the name is taken: {taken.relative_to(root)}")
    return defect


def source_before(place, root):
    """Return the alias by which a rule's module imports its source's module, that module's file, and the source's name.

    Raises:
        NewRuleError: The preceding rule has no source in conformance/sources.
    """
    alias, _, name = place.facts["source"].partition(".")
    for node in ast.parse(place.file.read_text()).body:
        if isinstance(node, ast.ImportFrom) and node.module == "conformance.sources":
            for module in node.names:
                if alias == (module.asname or module.name):
                    return alias, root / SOURCES / f"{module.name}.py", name
    raise NewRuleError(f"{place.before.name} in {place.file} has no source of {SOURCES}")


def shared_facts(place):
    """Return the keyword arguments for a new rule's decorator, without ``source``."""
    family = [each.facts for each in rules_in(place.file) if each.family == place.family]
    usual = {key: collections.Counter(facts.get(key) for facts in family).most_common(1)[0][0] for key in SHARED}
    return {key: value for key, value in usual.items() if value}


def line_behind(file, name):
    """Return the number of the last line of the assignment to a name."""
    assignments = (node for node in ast.parse(file.read_text()).body if isinstance(node, ast.Assign))
    return next(node.end_lineno for node in assignments if getattr(node.targets[0], "id", "") == name)


def folder_of(family, root):
    """Return the folder with most of a family's witnesses."""
    pattern = re.compile(rf'^BREAKS = "{family}-\d', re.MULTILINE)
    files = (root / FAULTY).glob("*/*.py")
    return collections.Counter(file.parent for file in files if pattern.search(file.read_text())).most_common(1)[0][0]


def inserted(file, line, text):
    """Return the text of a file with a text inserted after a line."""
    lines = file.read_text().splitlines(keepends=True)
    return "".join([*lines[:line], text, *lines[line:]])


def written(family, defect, root):
    """Write the stubs, and return a text with the next steps.

    Raises:
        NewRuleError: The stubs cannot be written; no file was changed.
    """
    modules, titles = all_rules(root), json.loads((root / CONTRACT).read_text())["titles"]
    place, defect = place_of(family, modules), checked(defect, root)
    rule_id = next_id(place.family, modules, titles)
    alias, sources, name = source_before(place, root)
    folder, line = folder_of(place.family, root), line_behind(sources, name)
    shared = shared_facts(place)
    facts = {
        "id": rule_id,
        "name": f"no_{defect}",
        "source": f"{alias}.{defect.upper()}",
        "shared": "".join(f", {key}={value}" for key, value in shared.items()),
        "arguments": ast.unparse(place.before.args),
    }
    template = APPLICATION if shared.get("interfaces") == "APPLICATIONS" else PLUGIN
    witness = template.format(id=rule_id, name=defect.title().replace("_", ""))
    files = {
        sources: inserted(sources, line, SOURCE.format(name=defect.upper())),
        place.file: inserted(place.file, place.before.end_lineno, RULE.format(**facts)),
        folder / f"{defect}.py": witness,
    }
    for file, text in files.items():
        file.write_text(text)
    source, rule, fault, shown = (str(file.relative_to(root)) for file in (*files, folder))
    rule = f"{rule}:{place.before.end_lineno + 3}"
    return NEXT.format(id=rule_id, defect=defect, source=f"{source}:{line + 1}", rule=rule, witness=fault, folder=shown)


def main():
    """Write the stubs of the rule that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("family", help="the letters of a family, or its module in conformance/rules")
    parser.add_argument("defect", help="the name of the witness: what is wrong with it, in snake_case")
    options = parser.parse_args()
    try:
        print(written(options.family, options.defect, ROOT))
    except NewRuleError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
