"""Compare what a plugin stores and computes in other surroundings, and find what it reads of them.

Theory. Names and instructions of the plugin's own code show its possible dependences: order of sets, hashes,
environment, location. Only then is another interpreter worth its cost.
"""

from __future__ import annotations

import dis
import re
from types import CodeType
from typing import TYPE_CHECKING, Any

from harness.checks.observation.own_code import OwnCode
from harness.checks.running.driver import fresh_driver
from harness.checks.sampling.sampling import best_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject

#: What shows that the order of sets, or a hash, may be read.
HASHES = frozenset({"set", "frozenset", "hash"})
#: What shows that the environment is read.
ENVIRONMENT = frozenset({"environ", "getenv", "environb", "expandvars"})
#: What shows that the place, the language or the user is read.
PLACE = frozenset(
    {"getcwd", "cwd", "abspath", "absolute", "resolve", "realpath", "expanduser", "home", "gettempdir", "tempfile"}
    | {"locale", "setlocale", "localeconv", "getlocale", "tzname", "localtime", "timezone", "strftime", "getuser"}
)
_SETS = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE"})
_A_NAME = re.compile(r"[A-Z][A-Z0-9_]*")


def stored_and_computed(subject: Subject) -> dict[str, Any]:
    """Return what a new plugin stores, and what it computes at the best shapes."""
    stored = subject.serialize(subject.create())
    run = fresh_driver(subject).run(best_shapes(subject.case))
    return {"stored": stored, "outputs": run.outputs}


def words_of(subject: Subject) -> frozenset[str]:
    """Return the names that the plugin's own code uses; ``set`` also covers sets that are made without naming it."""
    return frozenset(word for code in _own_code(subject) for word in (*code.co_names, *_makes_sets(code)))


def variables_of(subject: Subject) -> frozenset[str]:
    """Return the names of environment variables in own code that reads the environment."""
    constants = [each for code in _own_code(subject) if ENVIRONMENT & {*code.co_names} for each in code.co_consts]
    return frozenset(each for each in constants if isinstance(each, str) and _A_NAME.fullmatch(each))


def _makes_sets(code: CodeType) -> tuple[str, ...]:
    return ("set",) if any(each.opname in _SETS for each in dis.get_instructions(code)) else ()


def _own_code(subject: Subject) -> Iterator[CodeType]:
    """Yield the code of the plugin's own modules, and all that it holds."""
    for module in OwnCode(subject.creator).modules():
        get_code = getattr(module.__loader__, "get_code", None)
        waiting = [get_code(module.__name__)] if get_code else []
        for code in filter(None, waiting):
            yield code
            waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
