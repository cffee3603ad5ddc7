"""Find which of its surroundings a plugin's code may read: hashes, the environment, the location.

Theory. Another interpreter with other surroundings must give the same results, but its start is slow. So it is started
only if the plugin's own code may depend on them. Names and instructions in the code show that.
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

#: Names of code that may depend on the order of sets, or on a hash.
HASHES = frozenset({"set", "frozenset", "hash"})
#: Names of code that may read the environment.
ENVIRONMENT = frozenset({"environ", "getenv", "environb", "expandvars"})
#: Names of code that may depend on the current folder, the locale, the time zone or the user.
PLACE = frozenset(
    {"getcwd", "cwd", "abspath", "absolute", "resolve", "realpath", "expanduser", "home", "gettempdir", "tempfile"}
    | {"locale", "setlocale", "localeconv", "getlocale", "tzname", "localtime", "timezone", "strftime", "getuser"}
)
_SETS = frozenset({"BUILD_SET", "SET_ADD", "SET_UPDATE"})
_A_NAME = re.compile(r"[A-Z][A-Z0-9_]*")


def stored_and_computed(subject: Subject) -> dict[str, Any]:
    """Return the data that a new plugin stores, and the outputs that it computes at the optimal shapes."""
    stored = subject.serialize(subject.create())
    run = fresh_driver(subject).run(best_shapes(subject.case))
    return {"stored": stored, "outputs": run.outputs}


def words_of(subject: Subject) -> frozenset[str]:
    """Return the names that the plugin's own code uses; a literal or comprehension of a set counts as ``set``."""
    return frozenset(word for code in _own_code(subject) for word in (*code.co_names, *_makes_sets(code)))


def variables_of(subject: Subject) -> frozenset[str]:
    """Return constants that may name environment variables, from own code that may read the environment."""
    constants = [each for code in _own_code(subject) if ENVIRONMENT & {*code.co_names} for each in code.co_consts]
    return frozenset(each for each in constants if isinstance(each, str) and _A_NAME.fullmatch(each))


def _makes_sets(code: CodeType) -> tuple[str, ...]:
    return ("set",) if any(each.opname in _SETS for each in dis.get_instructions(code)) else ()


def _own_code(subject: Subject) -> Iterator[CodeType]:
    """Yield the code of the plugin's own modules, and of the functions and classes in them."""
    for module in OwnCode(subject.creator).modules():
        get_code = getattr(module.__loader__, "get_code", None)
        waiting = [get_code(module.__name__)] if get_code else []
        for code in filter(None, waiting):
            yield code
            waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
