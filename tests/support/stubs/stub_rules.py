"""A small catalogue, offered to the harness as another distribution would offer its rules."""

from harness.contract.rule import VERSION_3, Severity, Source, rule

SOURCE = Source("IPluginV2DynamicExt (Python API)", "supports_format_combination")


@rule("FMT-001", source=SOURCE, owns={"supports_format_combination"})
def answer_ignores_later_positions(subject):
    """The answer for ``pos`` depends only on positions ``0..pos``."""


@rule("FMT-002", source=SOURCE, requires={"FMT-001"})
def answer_is_stable(subject):
    """The same question gets the same answer."""


@rule("CFG-001", source=SOURCE, severity=Severity.WARNING)
def configuration_is_quiet(subject):
    """configure_plugin prints nothing."""


@rule("ENQ-001", source=SOURCE, owns={"enqueue"})
def enqueue_returns(subject):
    """enqueue returns."""


@rule("ENQ-002", source=SOURCE)
def output_is_right(subject):
    """The output is what the reference says."""


@rule("TAC-001", source=SOURCE, interfaces=VERSION_3)
def tactics_are_positive(subject):
    """Tactics are positive."""


@rule("TAC-002", source=SOURCE, interfaces=VERSION_3, severity=Severity.INFO)
def tactics_have_names(subject):
    """Tactics have names."""
