"""Declare the options of a run, each once.

Pytest's option and ini key, the environment variable, and the key in ``pyproject.toml`` follow from a declaration.
JSON Schema, Python API, ``certify``, ``replay`` and printed commands use the declaration, too. The default of an option
is that of its field of :class:`harness.config.options.Options`.

If this distribution is installed, every pytest run reads this file: the entry point loads it by its path. So it imports
only modules that pytest has imported, and no module of the harness.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

#: The beginning of an option's environment variable: ``--plugin-fail-on`` is ``TRT_CONFORMANCE_FAIL_ON``.
ENVIRONMENT_PREFIX = "TRT_CONFORMANCE_"
#: The first part of the node ids of rules.
ROOT = "conformance"
#: The attribute of a test function whose value generates its parameters; ``parametrize_with_rules`` sets it.
GENERATES = "_trt_conformance_generates"
#: The module that a run for a certificate loads with ``-p``: then no ``pyproject.toml`` is read.
ALONE = "pytest_trt_conformance.alone"


class Kind(enum.Enum):
    """The kind of an option's value, with its word in help texts."""

    MODULE = "MODULE"
    PACKAGE = "PACKAGE"  #: the dotted name of a package
    FUNCTION = "MODULE:FUNCTION"
    FOLDER = "FOLDER"
    FILE = "FILE"
    PATTERN = "PATTERN"  #: of plugins' names
    RULES = "RULES"
    DIMS = "NAME=MIN:OPT:MAX"
    LEVEL = "LEVEL"  #: a word of an enumeration, which may be a number
    WORD = "KIND"  #: a word of an enumeration
    SECONDS = "SECONDS"
    NUMBER = "NUMBER"
    PERCENT = "PERCENT"
    TOOLS = "TOOLS"
    REPORT = "FORMAT:PATH"
    SWITCH = ""


class Use(enum.Flag):
    """The uses of an option, in addition to a run."""

    SUBJECT = enum.auto()  #: it names what is certified
    OVERRIDE = enum.auto()  #: a table of ``pyproject.toml`` can set it for a single plugin
    VERDICT = enum.auto()  #: the printed command that runs one item again has it
    CERTIFY = enum.auto()  #: ``trt-conformance certify`` has it
    REPLAY = enum.auto()  #: ``trt-conformance replay`` has it


class Option(NamedTuple):
    """One option. Its value comes from the command line, the environment, pytest's ini file or ``pyproject.toml``.

    If several of these set the option, the first in this order counts.

    Attributes:
        name: The name, as ``--plugin-NAME`` and as the key in ``pyproject.toml``.
        kind: The kind of its value.
        help: The help text.
        placeholder: The word for a value in the help text; empty for the word of the kind.
        plural: The field of :class:`harness.config.options.Options`, if it differs from the name.
        repeatable: Whether it can be given several times.
        least: The least value of an option whose kind is NUMBER.
        uses: Its uses in addition to a run.
    """

    name: str
    kind: Kind
    help: str
    placeholder: str = ""
    plural: str = ""
    repeatable: bool = False
    least: int = 1
    uses: Use = Use(0)

    @property
    def flag(self) -> str:
        """Return the spelling on the command line."""
        return f"--plugin-{self.name}"

    @property
    def keyword(self) -> str:
        """Return the spelling in Python."""
        return self.name.replace("-", "_")

    @property
    def field(self) -> str:
        """Return the field of the options of a run, which is also the key in a JSON report."""
        return self.plural or self.keyword

    @property
    def ini(self) -> str:
        """Return the spelling in pytest's ini file, which is also the attribute of ``config.option``."""
        return f"plugin_{self.keyword}"

    @property
    def variable(self) -> str:
        """Return the environment variable; in it, commas separate several values."""
        return ENVIRONMENT_PREFIX + self.keyword.upper()

    @property
    def metavar(self) -> str:
        """Return the word for a value in a help text."""
        return self.placeholder or self.kind.value


_OVERRIDE, _VERDICT, _CERTIFY = Use.OVERRIDE, Use.VERDICT, Use.CERTIFY
_SUBJECT = Use.SUBJECT | Use.CERTIFY
_JUDGING = Use.VERDICT | Use.CERTIFY | Use.REPLAY
OPTIONS = (
    Option("module", Kind.MODULE, "Certify the TensorRT plugins of MODULE: a dotted name, a .py file or a package.",
           plural="modules", repeatable=True, uses=_SUBJECT),
    Option("library", Kind.FILE, "Certify the TensorRT plugins of a shared library, in C++: PATH of the .so file.",
           placeholder="PATH", plural="libraries", repeatable=True, uses=_SUBJECT),
    Option("app", Kind.FUNCTION, "Run FUNCTION of MODULE, or SCRIPT.py with its command line. Judge its use of "
           "TensorRT, and the plugins that it uses.",
           plural="apps", repeatable=True, uses=_SUBJECT),
    Option("cases", Kind.MODULE, "Take cases from MODULE too: a dotted name or a .py file with PLUGIN_CASES.",
           repeatable=True, uses=_JUDGING),
    Option("setup", Kind.FUNCTION, "Call FUNCTION in the child process to register the plugins.", uses=_JUDGING),
    Option("stub", Kind.PACKAGE, "Let imports of PACKAGE succeed: it is not installed, and plugins do not call it. "
           "Separate several by commas.", plural="stubs", repeatable=True, uses=_JUDGING),
    Option("include", Kind.PATTERN, "Certify only the plugins whose name, or namespace/Name/version, PATTERN fits, for "
           "example 'Fused*'; several are separated by commas.", repeatable=True, uses=_JUDGING),
    Option("exclude", Kind.PATTERN, "Leave out the plugins that PATTERN fits: as --plugin-include names them.",
           repeatable=True, uses=_JUDGING),
    Option("onnx", Kind.FILE, "Certify the plugins as an ONNX model uses them: its nodes are the cases. Needs the "
           "extra onnx.", placeholder="MODEL", repeatable=True, uses=_JUDGING),
    Option("onnx-dims", Kind.DIMS, "How far a dynamic dimension of the model goes, for example batch=1:4:8 (default: "
           "1:2:4).", repeatable=True, uses=_JUDGING),
    Option("select", Kind.RULES, "Run these rules only: ids (FMT-001), beginnings of ids (FMT, FMT-01) or severities "
           "(error, warning), separated by commas.", repeatable=True, uses=_OVERRIDE),
    Option("ignore", Kind.RULES, "Leave these rules out: as --plugin-select names them.",
           repeatable=True, uses=_OVERRIDE),
    Option("level", Kind.LEVEL, "How much is judged: 1 (smoke), 5 (default: every rule) or 10 (exhaustive).",
           uses=_JUDGING),
    Option("expected-failures", Kind.FILE, "Expect the failures in a JSON or TOML file, by plugin, case and rule.",
           placeholder="PATH", uses=_CERTIFY),
    Option("baseline", Kind.FILE, "Fail only on what is new since an earlier run; FILE is its JSON report."),
    Option("spec", Kind.LEVEL, "The TensorRT API level to certify against: 8.6, 10 (default) or 11.", uses=_JUDGING),
    Option("fail-on", Kind.LEVEL, "What fails the run: error (default), also warning, or also not-run.",
           uses=_OVERRIDE | _CERTIFY),
    Option("device", Kind.WORD, "Where kernels run: auto (default), host or cuda.",
           placeholder="DEVICE", uses=_VERDICT | _CERTIFY),
    Option("addresses", Kind.WORD, "Device addresses that plugins see: opaque (default) or host.", uses=_JUDGING),
    Option("isolation", Kind.WORD, "Where plugins run: process (default), or none for --pdb.", uses=_VERDICT),
    Option("timeout", Kind.SECONDS, "How long one rule may take on one case (default: 20).",
           uses=_OVERRIDE | _JUDGING),
    Option("seed", Kind.NUMBER, "The one seed of every choice that no document fixes (default: those of the level).",
           least=0, uses=_JUDGING),
    Option("fuzz-examples", Kind.NUMBER, "How many examples a fuzz rule judges on one case (default: 50, at level 10 "
           "1000).", uses=_OVERRIDE | _VERDICT | _CERTIFY),
    Option("fuzz-time", Kind.SECONDS, "How long a fuzz rule draws examples on one case (default: no limit).",
           uses=_OVERRIDE | _CERTIFY),
    Option("fuzz-database", Kind.FOLDER, "Share failing examples with other runs through a folder."),
    Option("sanitizer", Kind.TOOLS, "Judge by tools of compute-sanitizer too, on a GPU: memcheck, racecheck, "
           "initcheck, synccheck. Or watch the heap of libraries in C++: address.", repeatable=True,
           uses=_VERDICT | _CERTIFY),
    Option("runtime", Kind.WORD, "Build the plugins with a second builder: rtx, tensorrt, auto (rtx where it is "
           "installed), or reference (default: none).",
           placeholder="RUNTIME", uses=_VERDICT | _CERTIFY),
    Option("benchmark", Kind.SWITCH, "Measure the latency of enqueue too, through pytest-benchmark."),
    Option("benchmark-against", Kind.MODULE, "Compare with the plugins of MODULE, measured in turn: a dotted name or a "
           "path."),
    Option("benchmark-fail", Kind.PERCENT, "How much slower than the other version is too slow (default: 3%%)."),
    Option("report", Kind.REPORT, "Write a report: json, sarif, github, markdown, html or perfetto; for example "
           "json:report.json.", plural="reports", repeatable=True),
)  # fmt: skip

#: The options that name what is certified.
SUBJECTS = tuple(option for option in OPTIONS if Use.SUBJECT in option.uses)
