"""FMT: format and type negotiation, ``supports_format_combination``.

Long because the family is: one file a family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.prerequisites import ANALYSES, COMPUTES, RUNS
from conformance.sources import plugins
from harness.checks.formats.choices import accepted_choices, first_choice, reported_types
from harness.checks.formats.formats import (
    Asker,
    Combination,
    Question,
    accepted_combinations,
    candidate_forms,
    form_name,
    heads,
    illegal_forms,
)
from harness.checks.formats.recorded_answers import METHOD, RecordedAnswers, all_questions, telling_questions
from harness.checks.formats.undefined_tail import reads_behind, tails
from harness.checks.lifecycle.repeated_queries import occasions
from harness.checks.observation.comparing import first_difference, tolerance_of
from harness.checks.running.beyond_the_types import combinations_beyond_the_case, problem_beyond_the_case
from harness.checks.running.driver import Driver, oracle_outputs
from harness.checks.running.runs import usual_run
from harness.checks.running.tactics import build_attribute
from harness.checks.sampling.sampling import best_shapes, corner_shapes
from harness.checks.shapes.shapes import evaluated, network_dims, usual_answers
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, check
from harness.contract.language import PYTHON
from harness.contract.rule import DECORATED, FORMAT_QUERYING, IMPLICIT_BATCH, VERSION_2, VERSION_3, Severity, rule
from harness.subject.calling import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.formats.formats import Form
    from harness.subject.subject import Subject

#: The formats that are offered where a plugin is asked for a type and a format alone.
LEGACY = ("LINEAR", "CHW2", "HWC8")
#: Of the forms that have nothing in common with those that a plugin takes, one in so many is asked about.
_SAMPLE = 32


@rule(
    "FMT-001",
    level=1,
    source=plugins.SUPPORTS_FORMAT_COMBINATION,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES,
    owns={Fault.PAST_POS.of(METHOD)},
)
def answer_ignores_later_positions(subject: Subject) -> Iterator[Finding]:
    """The answer of ``supports_format_combination`` for ``pos`` depends only on positions ``0..pos``.

    TensorRT fills in the descriptions from left to right, so everything after ``pos`` is still undefined when it
    asks. A plugin that looks there accepts or rejects a format by accident.
    """
    record, asker = RecordedAnswers(subject), Asker(subject, subject.create())
    if len(asker.dims) == 1:
        raise NotApplicable("the plugin has only one tensor: there is no later description")
    telling = frozenset(telling_questions(subject))
    for question in all_questions(subject):
        if question.pos + 1 == len(asker.dims):
            continue
        asker.come_to(question)
        thorough = reads_behind(asker, question)
        shown = tails(asker, question, thorough=thorough) if thorough or question in telling else {}
        answers = {"an undefined description": record.outcome(question)}
        answers |= {name: asker.outcome(question, tail=tail) for name, tail in shown.items()}
        examples = {answer: name for name, answer in reversed(answers.items())}
        yield check(
            len(examples) == 1,
            lambda: Violation(
                what=f"{METHOD} looked past pos={question.pos}",
                where=f"in_out[{question.pos + 1}:], asked {question}",
                expected="one answer for any description after pos",
                observed="; ".join(f"{answer} with {name} there" for answer, name in reversed(examples.items())),
                fix="Decide from in_out[0] to in_out[pos] only.",
            ),
        )


@rule(
    "FMT-002",
    source=plugins.FORMAT_ANSWERS_DERIVED,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES,
    explained_by={"INI-004"},
)
def answers_are_repeatable(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` gives the same answer to the same arguments, in any order, on every object.

    TensorRT repeats calls, skips some, and calls clones. If an answer depends on earlier calls, the choice of formats,
    and so the engine, depends on chance.
    """
    plugin = subject.create()
    asker = Asker(subject, plugin)
    first_answers = []
    for question in telling_questions(subject):
        asker.come_to(question)
        first_answers.append((question, asker.outcome(question)))
    for when, other in occasions(subject, plugin):
        later = Asker(subject, other)
        for question, first in reversed(first_answers):
            again = later.outcome(question)
            yield check(
                again == first,
                lambda: Violation(
                    what=f"{METHOD} gave two answers to one question",
                    where=str(question),
                    expected=f"{first}, as when it was asked first",
                    observed=f"{again} when {when}",
                    fix="Answer from the arguments alone; keep nothing between calls.",
                ),
            )


@rule("FMT-003", level=1, source=plugins.FORMAT_CONST, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def descriptors_stay_as_they_are(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` does not modify the descriptors that it gets.

    They belong to TensorRT, and are constant in C++. TensorRT does not read what a plugin writes into them.
    """
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        change = record.reply(question).change
        yield check(not change, lambda: _modified(question, *change or ("", "", "")))


def _modified(question: Question, path: str, before: str, after: str) -> Violation:
    return Violation(
        what=f"{METHOD} modified what it was given",
        where=f"{path.replace('arguments[1]', 'in_out')}, asked {question}",
        expected=f"{before}, as it was",
        observed=after,
        fix="Read in_out, and do not write to it; return False for a form that the plugin does not accept.",
    )


@rule("FMT-004", level=1, source=plugins.FORMAT_POSITIONS, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def last_output_is_answered(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` answers for every position, the last output included.

    The Python documentation limits ``pos`` to less than ``num_inputs + num_outputs - 1``. That bound is one too
    small: TensorRT does ask about the last output.
    """
    record = RecordedAnswers(subject)
    last = len(record.dims) - 1
    final = [question for question in all_questions(subject) if question.pos == last]
    if not final:
        return
    outcomes = [record.outcome(question) for question in final]
    failed = next(
        ((question, how) for question, how in zip(final, outcomes, strict=True) if isinstance(how, str)), None
    )
    yield check(
        True in outcomes,
        lambda: Violation(
            what=f"{METHOD} has no usable answer for the last output",
            where=str(failed[0]) if failed else f"pos={last}, the last of {len(record.dims)} positions",
            expected="True for at least one form of the last output",
            observed=f"it {failed[1]}" if failed else f"False for all {len(outcomes)} forms",
            fix="Answer for every pos from 0 to num_inputs + num_outputs - 1.",
        ),
    )


@rule("FMT-005", languages=PYTHON, level=1, source=plugins.FORMAT_RESULT, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def answer_is_a_bool(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` returns a bool on every path.

    The bindings convert None to False without a message, so a forgotten ``return`` means "not supported".
    """
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        reply = record.reply(question)
        if isinstance(reply.outcome, str) and reply.returned is None:
            continue  # it raised, or is not there
        yield check(reply.returned is None, lambda: _no_bool(question, *reply.returned or ("", "")))


def _no_bool(question: Question, value: str, kind: str) -> Violation:
    converted = f"a {kind}, which the bindings convert as they can"
    lost = "which the bindings convert to False without a message: the plugin refuses the form"
    return Violation(
        what=f"{METHOD} returned {value}",
        where=str(question),
        expected="True or False",
        observed=f"{value}, {lost if value == 'None' else converted}",
        fix="Return a bool on every path of the method.",
    )


@rule(
    "FMT-006",
    level=1,
    source=plugins.FORMAT_NOEXCEPT,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES,
    owns={METHOD},
)
def unsupported_forms_are_refused_quietly(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` returns False for an unsupported type or format, and does not raise.

    The bindings print the exception and answer False, so the defect that raised it goes unnoticed.
    """
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        outcome = record.outcome(question)
        yield check(
            not isinstance(outcome, str),
            lambda: Violation(
                what=f"{METHOD} {outcome}",
                where=str(question),
                expected="True or False",
                observed=f"it {outcome}; TensorRT takes the combination as unsupported",
                fix="Define the method, and return False for all that the plugin does not accept.",
            ),
        )


@rule(
    "FMT-007",
    level=1,
    source=plugins.FORMAT_SOME,
    interfaces=FORMAT_QUERYING | DECORATED,
    requires=ANALYSES | {"FMT-004", "FMT-006"},
    explained_by={"FMT-001"},
)
def some_combination_is_accepted(subject: Subject) -> Iterator[Finding]:
    """The plugin accepts at least one complete combination for the network's input types.

    Otherwise the build ends with "could not find any implementation", and names no reason.
    """
    accepted = list(accepted_choices(subject))
    case_types = [(index, name) for index, entry in enumerate(subject.case.data_inputs) for name in entry.types]
    for index, name in case_types:
        yield check(
            any(names[index] == name for names in accepted),
            lambda: Violation(
                what=f"{METHOD} accepts no complete combination with inputs[{index}] of {name}",
                where="all positions, every type and format",
                expected="at least one combination with True at every position",
                observed="at some position the plugin refuses every form",
                fix=f"Accept a form of every tensor together with {name}, or remove that type from the case.",
            ),
        )
    if not case_types:
        yield check(
            bool(accepted),
            lambda: Violation(
                what=f"{METHOD} accepts no complete combination without inputs",
                where="all positions, every type and format",
                expected="at least one combination with True at every position",
                observed="at some position the plugin refuses every form",
                fix="Accept at least linear tensors of the reported output types.",
            ),
        )


@rule(
    "FMT-008",
    level=1,
    source=plugins.FORMAT_FP32,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=RUNS,
)
def plain_fp32_is_offered(subject: Subject) -> Iterator[Finding]:
    """A general-purpose plugin accepts FP32 in linear format for all its tensors.

    Otherwise the plugin works only in networks that run in its own precision. (A plugin that converts FP32 to another
    type passes if it accepts the types that it reports.)
    """
    trt = subject.trt
    real = subject.real_types
    chosen = [subject.data_type(name) for name in first_choice(subject)]
    if not any(dtype in real for dtype in chosen):
        raise NotApplicable("no input of the case has a real-number type")
    types = [trt.DataType.FLOAT if dtype in real else dtype for dtype in chosen]
    accepted = accepted_combinations(RecordedAnswers(subject), input_types=types)
    linear = [each for each in accepted if all(layout == trt.TensorFormat.LINEAR for _, layout in each.forms)]
    precise = any(all(dtype == trt.DataType.FLOAT or dtype not in real for dtype, _ in each.outputs) for each in linear)
    yield check(
        precise or _is_a_conversion(subject, types, linear),
        lambda: Violation(
            what="the plugin has no plain FP32 implementation",
            where=f"{METHOD} with all real-number tensors FLOAT:LINEAR",
            expected="the combination is accepted",
            observed=f"refused; accepted with FLOAT inputs: {', '.join(map(str, accepted)) or 'nothing'}",
            fix="Accept FLOAT with TensorFormat.LINEAR for inputs and outputs, also if another form is faster.",
        ),
    )


def _is_a_conversion(subject: Subject, types: list[Any], linear: list[Combination]) -> bool:
    """Return whether the plugin reports outputs whose precision differs from its inputs', and accepts these."""
    if not linear:
        return False
    reported = reported_types(subject, types)
    return any([dtype for dtype, _ in each.outputs] == reported for each in linear)


@rule(
    "FMT-009",
    source=plugins.FORMAT_LAYOUTS,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES,
)
def only_existing_layouts_are_accepted(subject: Subject) -> Iterator[Finding]:
    """The plugin accepts only combinations of type, format and rank that exist in TensorRT.

    CHW4 exists for INT8 and 16-bit types only, HWC8 for 16-bit types only. Each vectorised format needs a minimum rank.
    A plugin that accepts another combination does not check the format.
    """
    record, asker = RecordedAnswers(subject), Asker(subject, subject.create())
    for head in heads(record):
        asker.settle(head)
        rank = len(record.dims[len(head)])
        for question in _plausible(record, head, illegal_forms(subject, rank)):
            yield check(
                asker.outcome(question) is not True,
                lambda: Violation(
                    what=f"{METHOD} accepted {form_name(question.form)} for a tensor of rank {rank}",
                    where=str(question),
                    expected="False: TensorRT does not have this layout",
                    observed="True",
                    fix="Accept only the types and formats that the kernels handle.",
                ),
            )


def _plausible(record: RecordedAnswers, head: tuple[Form, ...], forms: list[Form]) -> Iterator[Question]:
    """Yield the questions about forms that share their type or format with an accepted one, and some of the others."""
    existing = candidate_forms(record.subject, len(record.dims[len(head)]))
    accepted = [form for form in existing if record.outcome(Question(head, form)) is True]
    types, layouts = ({form[part] for form in accepted} for part in (0, 1))
    near = [form for form in forms if form[0] in types or form[1] in layouts]
    others = [form for form in forms if form not in near]
    yield from (Question(head, form) for form in (*near, *others[::_SAMPLE]))


@rule(
    "FMT-010",
    source=plugins.FORMAT_SOME,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES | {"FMT-006", "FMT-007"},
)
def accepted_heads_can_be_completed(subject: Subject) -> Iterator[Finding]:
    """If the plugin accepts types and formats for the first tensors, it accepts some for the next tensor.

    TensorRT asks position by position. If the plugin refuses everything at the next position, TensorRT has to try other
    types and formats. If the network fixes them, the build fails.
    """
    record = RecordedAnswers(subject)
    for head in heads(record):
        forms = candidate_forms(subject, len(record.dims[len(head)]))
        yield check(
            any(record.ask(Question(head, form)) for form in forms),
            lambda: Violation(
                what=f"{METHOD} accepted forms that cannot be completed",
                where=f"pos={len(head)} after {', '.join(map(form_name, head))}",
                expected=f"at least one form is accepted at pos={len(head)}",
                observed="the plugin refuses every form there",
                fix="Refuse the type and format at the earlier position, or accept fitting ones at the next position.",
            ),
        )


@rule("FMT-011", level=1, source=plugins.FORMAT_BOOL, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def bool_and_uint8_are_refused(subject: Subject) -> Iterator[Finding]:
    """The plugin refuses BOOL and UINT8 at every position.

    TensorRT does not support them as types of plugin inputs and outputs.
    """
    trt = subject.trt
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        if question.form[0] not in {trt.DataType.BOOL, trt.DataType.UINT8}:
            continue
        yield check(
            record.outcome(question) is not True,
            lambda: Violation(
                what=f"{METHOD} accepted {form_name(question.form)}",
                where=str(question),
                expected="False: plugins cannot have BOOL or UINT8 tensors",
                observed="True",
                fix="Test in_out[pos].type against the types that the kernels handle.",
            ),
        )


@rule(
    "FMT-012",
    source=plugins.FORMAT_TRUE,
    interfaces=FORMAT_QUERYING | DECORATED,
    requires=COMPUTES | {"ALI-004", "CFG-012", "FMT-011"},
)
def accepted_combinations_compute(subject: Subject) -> Iterator[Finding]:
    """Every accepted combination runs and gives correct results in that type and layout.

    TensorRT picks any of them, by time alone. A combination that does not work fails in the first network that gets
    it.
    """
    record = RecordedAnswers(subject)
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        for combination in accepted_combinations(record, input_types=types):
            problem, cause = _problem_with(subject, combination)
            yield check(
                not problem,
                lambda: Violation(
                    what=f"the accepted combination {combination} does not work",
                    where=f"enqueue with input shapes {list(best_shapes(subject.case))}",
                    expected="the outputs of the case's reference",
                    observed=problem,
                    fix=cause or f"Refuse the combination in {METHOD}, or handle its types and formats in enqueue.",
                ),
            )
    for combination in combinations_beyond_the_case(subject):
        gross = problem_beyond_the_case(subject, combination)
        if gross is None:
            continue  # nobody says what is right there
        yield check(
            not gross,
            lambda: Violation(
                what=f"the accepted combination {combination} does not work; the case does not have its types",
                where=f"enqueue with input shapes {list(best_shapes(subject.case))}",
                expected="about the outputs of the case's reference for the same values",
                observed=gross or "",
                fix=f"Refuse the types in {METHOD}, or handle them in enqueue and name them in the case.",
            ),
        )
    if subject.case.reference is None:
        raise NotRun("every combination runs; the case has no reference to compare outputs with")


def _problem_with(subject: Subject, combination: Combination) -> tuple[str, str]:
    """Run a combination; return what is wrong with it, or an empty text, and a plain fix, if any."""
    driver = Driver(subject, subject.create(), combination)
    run = usual_run(subject, best_shapes(subject.case), combination)
    if run.failure is not None:
        beyond = run.trespasses("workspace")
        enough = "Return enough from get_workspace_size for these types and formats: enqueue uses more."
        return f"enqueue {run.failure.how}", enough * bool(beyond)
    if subject.case.reference is None:
        return "", ""
    tolerances = [tolerance_of(subject.case, name) for name in driver.tensors.types]
    loosest = [max(tolerances, key=lambda each: (each.rtol, each.atol))] * len(run.outputs)
    return str(first_difference(run.outputs, oracle_outputs(subject, run), loosest) or ""), ""


@rule(
    "FMT-013",
    source=plugins.FORMAT_LIMIT,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES | {"FMT-006", "FMT-007"},
)
def combinations_stay_below_the_limit(subject: Subject) -> Iterator[Finding]:
    """The plugin accepts no more combinations than TensorRT tries: 100, or its own ``format_combination_limit``.

    TensorRT stops after that number, and may never time the best ones.
    """
    limit, whose = 100, ""
    if subject.interface in VERSION_3:
        limit = build_attribute(subject, subject.create(), "format_combination_limit")
        whose = f", the plugin's format_combination_limit of {limit}" if limit != 100 else ""  # noqa: PLR2004 - as above
    accepted = accepted_combinations(RecordedAnswers(subject), most=max(limit, 1) + 1)
    yield check(
        len(accepted) <= max(limit, 1),
        lambda: Violation(
            what=f"{METHOD} accepts more than {limit} combinations{whose}",
            where=f"the first combination that TensorRT leaves out: {accepted[-1]}",
            expected=f"at most {limit} accepted combinations",
            observed=f"more than {limit}",
            fix="Accept for later tensors only the types and formats of the first, or increase the limit.",
        ),
    )


@rule(
    "FMT-014",
    source=plugins.FORMAT_CALIBRATION,
    interfaces=VERSION_2,
    severity=Severity.WARNING,
    requires=RUNS,
)
def int8_comes_with_fp32_or_scales(subject: Subject) -> Iterator[Finding]:
    """A plugin with INT8 tensors also accepts FP32, or all its scales are set explicitly.

    Calibration runs the network in FP32. A plugin that cannot run in FP32 makes calibration impossible. A network with
    explicit quantization needs no calibration, and the plugin works there.
    """
    trt = subject.trt
    accepted = accepted_combinations(RecordedAnswers(subject))
    quantized = [each for each in accepted if any(dtype == trt.DataType.INT8 for dtype, _ in each.forms)]
    if not quantized:
        raise NotApplicable("no accepted combination has an INT8 tensor")
    floating = [each for each in accepted if not any(dtype == trt.DataType.INT8 for dtype, _ in each.forms)]
    scaled = all(entry.scale is not None for entry in subject.case.data_inputs)
    yield check(
        scaled or any(any(dtype == trt.DataType.FLOAT for dtype, _ in each.forms) for each in floating),
        lambda: Violation(
            what="the plugin has INT8 tensors, no FP32 implementation, and no explicit scales",
            where=f"{METHOD}, which accepts {quantized[0]}",
            expected="the plugin accepts FLOAT too, or the case gives a scale to every input",
            observed="neither",
            fix="Accept FLOAT:LINEAR as well, or set dynamic ranges (scale= in the case) for all its tensors.",
        ),
    )


@rule(
    "FMT-015",
    languages=PYTHON,
    level=1,
    source=plugins.FORMAT_DESCRIPTORS,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES,
)
def descriptors_are_read_by_their_own_names(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` reads ``in_out[pos].type``; an IPluginV3 reads ``in_out[pos].desc.type``.

    The same holds for the format. The other spelling raises AttributeError, which the bindings turn into False: the
    plugin refuses every format.
    """
    entry = "in_out[pos]" if subject.interface in VERSION_2 else "in_out[pos].desc"
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        reply = record.reply(question)
        if reply.missing:
            continue
        how = str(reply.outcome)
        yield check(
            not (how.startswith("raised AttributeError") and "PluginTensorDesc" in how),
            lambda: Violation(
                what=f"{METHOD} reads an attribute that PluginTensorDesc does not have",
                where=str(question),
                expected=f"{entry}.type, .format, .dims and .scale",
                observed=f"{how.removeprefix('raised ')}; TensorRT takes the combination as unsupported",
                fix=f"Read {entry}.type and {entry}.format; only an IPluginV3 gets entries with .desc.",
            ),
        )


@rule(
    "FMT-016",
    source=plugins.FORMAT_NUMBERING,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=RUNS,
)
def optional_inputs_are_counted(subject: Subject) -> Iterator[Finding]:
    """``supports_format_combination`` distinguishes inputs and outputs by its argument ``num_inputs``.

    If an optional input is left out, the outputs begin at an earlier position than usual.
    """
    count = len(subject.case.data_inputs)
    others = {len(case.data_inputs): case for case in subject.origin.siblings if len(case.data_inputs) != count}
    if not others:
        raise NotApplicable("no other case of the plugin has another number of inputs")
    for count, case in sorted(others.items()):
        other = subject.with_case(case)
        yield check(
            next(accepted_choices(other), None) is not None,
            lambda: Violation(
                what=f"{METHOD} accepts no combination with {count} inputs",
                where=f"num_inputs={count}, case {case.name!r}",
                expected="at least one accepted combination for every supported number of inputs",
                observed="none",
                fix="Compare pos with num_inputs, not with a constant.",
            ),
        )


@rule(
    "FMT-017",
    level=1,
    source=plugins.FORMAT_ALONE,
    interfaces=IMPLICIT_BATCH - FORMAT_QUERYING,
    requires={"ID-007"},
    owns={"supports_format"},
)
def a_type_and_a_legacy_format_are_enough(subject: Subject) -> Iterator[Finding]:
    """``supports_format`` answers from type and format alone, and accepts LINEAR, CHW2 or HWC8 for each type.

    The rule asks about each type of the case. TensorRT does not offer later formats, for example CHW32, to plugins of
    these interfaces. The builder and the engine ask separately: the answer must not depend on earlier calls.
    """
    plugin = subject.create()
    for names in subject.case.type_choices:
        first = _legacy_formats(subject, plugin, names[0])
        yield check(
            bool(first),
            lambda: Violation(
                what=f"supports_format accepts {names[0]} in no format",
                where=f"{names[0]} in {', '.join(LEGACY)}",
                expected="True for one of them",
                observed="False for all of them: TensorRT cannot build the plugin with this type of the case",
                fix="Accept trt.TensorFormat.LINEAR; later formats are only for later interfaces.",
            ),
        )
        again = _legacy_formats(subject, subject.create(), names[0]), _legacy_formats(subject, plugin, names[0])
        yield check(
            set(again) == {first},
            lambda: Violation(
                what="supports_format gave two answers to one question",
                where=f"{names[0]} in {', '.join(LEGACY)}, asked of another object and asked again",
                expected=f"{', '.join(first) or 'none'}, as the first time",
                observed="; ".join(", ".join(each) or "none" for each in again),
                fix="Answer from dtype and format alone.",
            ),
        )


def _legacy_formats(subject: Subject, plugin: Any, name: str) -> tuple[str, ...]:
    """Return the formats in which a plugin takes a type, among those that TensorRT offers."""
    asker = Asker(subject, plugin, dims=network_dims(subject))
    dtype, layouts = subject.data_type(name), subject.trt.TensorFormat.__members__
    return tuple(each for each in LEGACY if asker.ask(Question((), (dtype, layouts[each]))))


@rule("FMT-018", source=plugins.FORMAT_STRONG_TYPES, interfaces=FORMAT_QUERYING, requires=RUNS)
def reported_types_are_accepted(subject: Subject) -> Iterator[Finding]:
    """In a strongly typed network the plugin accepts the input types together with the output types that it reports.

    TensorRT does not choose types there: it asks for the formats of exactly these.
    """
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        reported = reported_types(subject, types)
        accepted = accepted_combinations(RecordedAnswers(subject), input_types=types, output_types=reported, most=1)
        yield check(
            bool(accepted),
            lambda: Violation(
                what=f"{METHOD} refuses the reported output types {', '.join(t.name for t in reported)}",
                where=f"{METHOD} with inputs of {', '.join(names)}",
                expected="a combination with exactly these output types, in some format",
                observed="the plugin accepts none",
                fix="Report in get_output_datatype only types that supports_format_combination accepts.",
            ),
        )


@rule(
    "FMT-019",
    source=plugins.FORMAT_ANSWERS_DERIVED,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES,
)
def answer_depends_on_types_and_formats(subject: Subject) -> Iterator[Finding]:
    """The answer of ``supports_format_combination`` depends on types and formats, not on scales or dimensions.

    TensorRT asks only about types and formats. Scales are not known yet, and dimensions may hold -1. The same plugin
    is asked with numbers in a network of fixed shapes.
    """
    plugin, record = subject.create(), RecordedAnswers(subject)
    asker = Asker(subject, plugin, dims=record.dims)
    greatest = corner_shapes(subject.case)[-1]
    sizes = [*greatest[: record.num_inputs], *(evaluated(each, greatest) for each in usual_answers(subject))]
    numbers = {"dims without -1": [tuple(abs(n) for n in dims) for dims in record.dims]}
    if [*map(len, sizes)] == [*map(len, record.dims)]:  # an implicit batch is no dimension
        numbers["the dims of a network of fixed shapes"] = sizes
    concrete = {name: Asker(subject, plugin, dims=dims) for name, dims in numbers.items()}
    scaled = [question for question in all_questions(subject) if question.form[0] == subject.trt.DataType.INT8]
    chosen_questions = {*telling_questions(subject), *scaled}
    for question in [each for each in all_questions(subject) if each in chosen_questions]:
        asker.come_to(question)
        answers = {"scale=-1.0": record.ask(question), "scale=0.5": asker.ask(question, scale=0.5)}
        answers |= {name: other.ask(question) for name, other in concrete.items()}
        yield check(
            len(set(answers.values())) == 1,
            lambda: Violation(
                what=f"{METHOD} depends on more than types and formats",
                where=str(question),
                expected="one answer for every scale and every dimension",
                observed="; ".join(f"{answer} with {name}" for name, answer in answers.items()),
                fix="Decide by in_out[i].type and in_out[i].format alone.",
            ),
        )
