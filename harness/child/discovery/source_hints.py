"""Read hints about fields and inputs from a plugin's source: the constants that it compares."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: More elements, inputs or dimensions than this are no hint.
_MOST = 16
#: Packages whose classes are not the user's.
_NOT_THEIRS = {"builtins", "reference_runtime", "harness", "abc"}
#: What a refusal quotes, and the numbers in it.
_QUOTED, _NUMBER = re.compile(r"'([^']{1,40})'|\"([^\"]{1,40})\""), re.compile(r"(?<![\w.])\d+(?![\w.])")


class SourceHints(msgspec.Struct, frozen=True):
    """Constants of a module, in the order in which they are written.

    Attributes:
        words: Texts that something is compared with, or looked up in: ``backend in ("cupy", "torch")``.
        lengths: Numbers that a length, or ``num_inputs``, is compared with: ``len(inputs) == 7``.
        named: The texts by the name of the variable or attribute that is compared with them.
    """

    words: tuple[str, ...] = ()
    lengths: tuple[int, ...] = ()
    named: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def learning(self, refusals: Iterable[str]) -> SourceHints:
        """Return these hints and those that refusals name: quoted texts, and numbers of elements."""
        said = list(refusals)
        words = [word for each in said for pair in _QUOTED.findall(each) for word in pair if word]
        numbers = [int(number) for each in said for number in _NUMBER.findall(each) if 0 < int(number) <= _MOST]
        return structs.replace(
            self,
            words=tuple(dict.fromkeys((*self.words, *words))),
            lengths=tuple(dict.fromkeys((*self.lengths, *numbers))),
        )


def hints_of(creator: Any) -> SourceHints:
    """Return the hints of the module in which a creator's class is written; none without a source."""
    compared = [
        node for node in ast.walk(_parsed(type(creator).__module__)) if isinstance(node, (ast.Compare, ast.MatchValue))
    ]
    words = [word for node in compared for word in _words(node)]
    named: dict[str, tuple[str, ...]] = {}
    for node in compared:
        for name in _names(node):
            named[name] = tuple(dict.fromkeys((*named.get(name, ()), *_words(node))))
    lengths = [value for node in compared if _is_about_a_length(node) for value in _constants(node)]
    numbers = [value for value in lengths if type(value) is int and 0 < value <= _MOST]
    named = {name: texts for name, texts in named.items() if texts}
    return SourceHints(tuple(dict.fromkeys(words)), tuple(dict.fromkeys(numbers)), named)


def texts_of(*objects: object) -> list[str]:
    """Return the texts, such as messages and docstrings, of the user's modules in which the classes are written."""
    classes = [each for owner in objects for each in type(owner).__mro__]
    modules = dict.fromkeys(each.__module__ for each in classes if each.__module__.partition(".")[0] not in _NOT_THEIRS)
    nodes = [node for name in modules for node in ast.walk(_parsed(name))]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return list(dict.fromkeys(texts))


def _parsed(module: str) -> ast.Module:
    """Return the syntax tree of an imported module; an empty one without a source."""
    try:
        return ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, SyntaxError, TypeError):
        return ast.Module([], [])


def _words(node: ast.AST) -> list[str]:
    """Return the texts of a comparison, except names that Python gives, as in ``__name__ == "__main__"``."""
    texts = (value for value in _constants(node) if isinstance(value, str) and value)
    return [text for text in texts if not text.startswith("__")]


def _names(node: ast.AST) -> Iterator[str]:
    """Yield the variables and attributes that a comparison is about."""
    for side in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
        if isinstance(side, ast.Name):
            yield side.id
        elif isinstance(side, ast.Attribute):
            yield side.attr


def _constants(node: ast.AST) -> Iterator[object]:
    """Yield the constants on either side of a comparison, those of a tuple, list, set or dict of them included."""
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value]  # type: ignore[attr-defined]
    for side in sides:
        parts = side.keys if isinstance(side, ast.Dict) else getattr(side, "elts", [side])
        yield from (part.value for part in parts if isinstance(part, ast.Constant))


def _is_about_a_length(node: ast.AST) -> bool:
    calls = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    counted = any(isinstance(called, ast.Name) and called.id == "len" for called in calls)
    return counted or "num_inputs" in _names(node)
