"""Name the requests from pytest's process to the plugin's process."""

from __future__ import annotations

import enum


class RequestKind(enum.Enum):
    """The kind of a request: to judge a rule, or to return data for another purpose.

    If the kind is not RULE, the answer is in :attr:`harness.contract.verdict.Answer.payload`, as plain data.

    Attributes:
        RULE: The answer of one rule on one case; with examples, for each of them.
        PREFLIGHT: One complete run by :mod:`harness.checks.engines.canonical_drive`, from a network to executions. It
            shows whether a callback ends the process, and gives no verdict.
        APPLICATION: One run of an application. The payload holds the answer of each rule about applications.
        LATENCY: Samples of latencies, or counts; its argument names which. The payload holds them.
        PAIRED_LATENCY: Samples in turns with another child, through a socket. Its arguments are the quantity, the
            side and the socket's address.
        TRACE: The same run with every call written into the file that its argument names. The payload says why the run
            stopped, and is empty if it reached its end.
        SANITIZED: Executions under compute-sanitizer; its argument is the tool. The payload lists the executions.
        ELSEWHERE: What a new plugin stores and computes, as plain data. A new interpreter with other surroundings
            answers, and the rule compares the data with those of this process.
    """

    RULE = "rule"
    PREFLIGHT = "preflight"
    APPLICATION = "application"
    LATENCY = "latency"
    PAIRED_LATENCY = "paired latency"
    TRACE = "trace"
    SANITIZED = "sanitized"
    ELSEWHERE = "elsewhere"


#: Requests whose answers do not depend on what their process did before, nor on when they are asked.
REPEATABLE = frozenset({RequestKind.RULE, RequestKind.PREFLIGHT})

#: The argument of a latency request for counts, and no samples: counting slows the calls down.
COUNTS = "counts"
#: In a paired latency, a request for so many samples means: move the plugin to new memory.
NEW_MEMORY = -1

# The flight recorder holds these names, besides those of callbacks, while user code runs.
#: The import of the user's module.
IMPORT = "import"
#: The reading of cases, and the user's setup.
SETUP = "setup"
#: The function of an application.
APPLICATION = "application"


class Watched(enum.Enum):
    """The parts of a plugin that fuzzing watches, so that a search can end if examples reach no new part."""

    NOTHING = "nothing"
    CODE = "code"
    STATE = "code and state"
