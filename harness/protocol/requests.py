"""Name the requests from pytest's process to the plugin's process."""

from __future__ import annotations

import enum


class RequestKind(enum.Enum):
    """The kind of a request: the answer of a rule, or data for another purpose.

    What is no rule is answered in :attr:`harness.contract.verdict.Answer.payload`, as plain data.

    Attributes:
        RULE: The answer of one rule on one case; with examples, for each of them.
        PREFLIGHT: One canonical drive: does a callback end the process? It gives no verdict.
        APPLICATION: One run of an application. The payload holds the answer of each rule about applications.
        LATENCY: Samples of latencies, or counts; its argument names which. The payload holds them.
        PAIRED_LATENCY: Samples in turns with another child, through a socket. Its arguments are the quantity, the
            side and the socket's address.
        TRACE: One canonical drive with every call written into the file that its argument names. The payload says
            how the drive stopped; it is empty where it came to its end.
        SANITIZED: Executions under compute-sanitizer; its argument is the tool. The payload lists the executions.
        SCRIPT: A script that shows the last example; its argument holds the title, the path and the module. The
            payload is the script's text.
        ELSEWHERE: What a new plugin stores and computes, to be compared; asked of an interpreter in other surroundings.
    """

    RULE = "rule"
    PREFLIGHT = "preflight"
    APPLICATION = "application"
    LATENCY = "latency"
    PAIRED_LATENCY = "paired latency"
    TRACE = "trace"
    SANITIZED = "sanitized"
    SCRIPT = "script"
    ELSEWHERE = "elsewhere"


#: Requests whose answers do not depend on what their process did before, nor on when they are asked.
REPEATABLE = frozenset({RequestKind.RULE, RequestKind.PREFLIGHT})

#: What a latency request asks for besides groups of quantities: counts, whose listener would slow all else.
COUNTS = "counts"
#: The number of samples that asks for none, but for new memory, in a paired latency.
NEW_MEMORY = -1

#: What is written down as running, beside the plugin's callbacks: the import of the user's module, ...
IMPORT = "import"
#: ... reading the cases and running the user's setup, ...
SETUP = "setup"
#: ... and the function of an application.
APPLICATION = "application"


class Watched(enum.Enum):
    """The parts of a plugin that fuzzing watches, so that a search can end if examples reach no new part."""

    NOTHING = "nothing"
    CODE = "code"
    STATE = "code and state"
