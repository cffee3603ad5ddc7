"""FMT: format and type negotiation, ``supports_format_combination``.

Long because the family is: one file a family.
"""

from __future__ import annotations

import dataclasses
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
from harness.checks.running.driver import PLAIN, Driver, oracle_outputs
from harness.checks.running.runs import usual_run
from harness.checks.sampling.sampling import best_shapes
from harness.checks.shapes.shapes import network_dims
from harness.contract.finding import Finding, NotApplicable, NotRun, Violation, judged
from harness.contract.rule import DECORATED, FORMAT_QUERYING, IMPLICIT_BATCH, VERSION_2, Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.checks.formats.formats import Form
    from harness.subject.subject import Subject

#: The formats that are offered where a plugin is asked for a type and a format alone.
LEGACY = ("LINEAR", "CHW2", "HWC8")
LENIENT = dataclasses.replace(PLAIN, lenient=True)
#: Of the forms that have nothing in common with those that a plugin takes, one in so many is asked about.
_SAMPLE = 32


@rule("FMT-001", level=1, source=plugins.SUPPORTS_FORMAT_COMBINATION, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def answer_ignores_later_positions(subject: Subject) -> Iterator[Finding]:
    """The answer for ``pos`` depends only on positions ``0..pos``.

    TensorRT fills the descriptions in from left to right, so everything after ``pos`` is still undefined when it
    asks. A plugin that looks there accepts or rejects a format by accident.
    """
    record, asker = RecordedAnswers(subject), Asker(subject, subject.create())
    if len(asker.dims) == 1:
        raise NotApplicable("the plugin has one tensor only: nothing stands after it")
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
        yield judged(
            len(examples) == 1,
            lambda: Violation(
                what=f"{METHOD} looked past pos={question.pos}",
                where=f"in_out[{question.pos + 1}:], asked {question}",
                expected="one answer, whatever stands after pos",
                observed="; ".join(f"{answer} with {name} there" for answer, name in reversed(examples.items())),
                fix="Decide from in_out[0] to in_out[pos] only.",
            ),
        )


@rule("FMT-002", source=plugins.FORMAT_ANSWERS_DERIVED, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def answers_are_repeatable(subject: Subject) -> Iterator[Finding]:
    """The same question gets the same answer at any time, in any order and from every object.

    TensorRT repeats questions, skips some, and asks clones. An answer that depends on what was asked before makes
    the choice of formats, and so the engine, a matter of chance.
    """
    plugin = subject.create()
    asker = Asker(subject, plugin)
    asked = []
    for question in telling_questions(subject):
        asker.come_to(question)
        asked.append((question, asker.outcome(question)))
    for when, other in occasions(subject, plugin):
        later = Asker(subject, other)
        for question, first in reversed(asked):
            again = later.outcome(question)
            yield judged(
                again == first,
                lambda: Violation(
                    what=f"{METHOD} gave two answers to one question",
                    where=str(question),
                    expected=f"{first}, as when it was asked first",
                    observed=f"{again} when {when}",
                    fix="Answer from the arguments alone; keep nothing between questions.",
                ),
            )


@rule("FMT-003", level=1, source=plugins.FORMAT_CONST, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def descriptors_stay_as_they_are(subject: Subject) -> Iterator[Finding]:
    """The query does not modify the descriptors.

    They are TensorRT's; in C++ they are constant. A plugin that writes its wish into them has told nobody.
    """
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        change = record.reply(question).change
        yield judged(not change, lambda: _modified(question, *change or ("", "", "")))


def _modified(question: Question, path: str, before: str, after: str) -> Violation:
    return Violation(
        what=f"{METHOD} modified what it was given",
        where=f"{path.replace('arguments[1]', 'in_out')}, asked {question}",
        expected=f"{before}, as it was",
        observed=after,
        fix="Only read in_out; return False for a form that the plugin does not take.",
    )


@rule("FMT-004", level=1, source=plugins.FORMAT_POSITIONS, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def last_output_is_answered(subject: Subject) -> Iterator[Finding]:
    """Every position is answered, the last output included.

    The Python documentation limits ``pos`` to less than ``num_inputs + num_outputs - 1``; that bound is one too
    small, and TensorRT does ask about the last output.
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
    yield judged(
        True in outcomes,
        lambda: Violation(
            what=f"{METHOD} has no usable answer for the last output",
            where=str(failed[0]) if failed else f"pos={last}, the last of {len(record.dims)} positions",
            expected="True for at least one form of the last output",
            observed=f"it {failed[1]}" if failed else f"False for all {len(outcomes)} forms",
            fix=f"Answer for every pos from 0 to num_inputs + num_outputs - 1, here {last}.",
        ),
    )


@rule("FMT-005", level=1, source=plugins.FORMAT_RESULT, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def answer_is_a_bool(subject: Subject) -> Iterator[Finding]:
    """The query returns an actual bool on every path.

    The bindings turn None into False without a word, so a forgotten ``return`` reads as "not supported".
    """
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        reply = record.reply(question)
        if isinstance(reply.outcome, str) and reply.returned is None:
            continue  # it raised, or is not there
        yield judged(reply.returned is None, lambda: _no_bool(question, *reply.returned or ("", "")))


def _no_bool(question: Question, value: str, kind: str) -> Violation:
    converted = f"a {kind}, which the bindings convert as they can"
    lost = "which the bindings take for False without a word: the form is refused"
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
    """An unsupported form is answered with False, not with an exception.

    The bindings print the exception and answer False in its place: the defect that raised it is lost.
    """
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        outcome = record.outcome(question)
        yield judged(
            not isinstance(outcome, str),
            lambda: Violation(
                what=f"{METHOD} {outcome}",
                where=str(question),
                expected="True or False",
                observed=f"it {outcome}; TensorRT takes the combination to be unsupported",
                fix="Define the method, and return False for what the plugin does not take.",
            ),
        )


@rule(
    "FMT-007",
    level=1,
    source=plugins.FORMAT_SOME,
    interfaces=FORMAT_QUERYING | DECORATED,
    requires=ANALYSES | {"FMT-004", "FMT-006"},
)
def some_combination_is_accepted(subject: Subject) -> Iterator[Finding]:
    """For the network's input types at least one complete combination is accepted.

    Otherwise the build ends with "could not find any implementation", and names no reason.
    """
    accepted = list(accepted_choices(subject))
    wanted = [(index, name) for index, entry in enumerate(subject.case.data_inputs) for name in entry.types]
    for index, name in wanted:
        yield judged(
            any(names[index] == name for names in accepted),
            lambda: Violation(
                what=f"{METHOD} accepts no complete combination with inputs[{index}] of {name}",
                where="all positions, every type and format",
                expected="at least one combination with True at every position",
                observed="at some position every form is refused",
                fix=f"Accept a form of every tensor that goes with {name}, or drop that type from the case.",
            ),
        )
    if not wanted:
        yield judged(
            bool(accepted),
            lambda: Violation(
                what=f"{METHOD} accepts no complete combination without inputs",
                where="all positions, every type and format",
                expected="at least one combination with True at every position",
                observed="at some position every form is refused",
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
    """A general-purpose plugin offers a plain FP32 linear implementation.

    Without it the plugin works only in networks that happen to run in its precision.
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
    yield judged(
        precise or _is_a_conversion(subject, types, linear),
        lambda: Violation(
            what="the plugin has no plain FP32 implementation",
            where=f"{METHOD} with all real-number tensors FLOAT:LINEAR",
            expected="the combination is accepted",
            observed=f"refused; accepted with FLOAT inputs: {', '.join(map(str, accepted)) or 'nothing'}",
            fix="Accept FLOAT with TensorFormat.LINEAR for inputs and outputs, besides what is faster.",
        ),
    )


def _is_a_conversion(subject: Subject, types: list[Any], linear: list[Combination]) -> bool:
    """Whether the plugin reports outputs of another precision than its inputs', and accepts these."""
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
    """Only combinations of type, format and rank that exist in TensorRT are accepted.

    CHW4 exists for INT8 only, HWC8 for 16-bit types only, and each vectorised format needs a least rank. A plugin
    that says True there has not looked.
    """
    record, asker = RecordedAnswers(subject), Asker(subject, subject.create())
    for head in heads(record):
        asker.settle(head)
        rank = len(record.dims[len(head)])
        for question in _plausible(record, head, illegal_forms(subject, rank)):
            yield judged(
                asker.outcome(question) is not True,
                lambda: Violation(
                    what=f"{METHOD} accepted {form_name(question.form)} for a tensor of rank {rank}",
                    where=str(question),
                    expected="False: TensorRT has no such layout",
                    observed="True",
                    fix="Name the types and formats that the kernels handle, and accept nothing else.",
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
    """What is accepted at one position can be completed to a full combination.

    TensorRT treats what was accepted as vetted. A head that leads nowhere costs questions, and with fixed tensor
    formats the build.
    """
    record = RecordedAnswers(subject)
    for head in heads(record):
        forms = candidate_forms(subject, len(record.dims[len(head)]))
        yield judged(
            any(record.ask(Question(head, form)) for form in forms),
            lambda: Violation(
                what=f"{METHOD} accepted forms that cannot be completed",
                where=f"pos={len(head)} after {', '.join(map(form_name, head))}",
                expected=f"at least one form is accepted at pos={len(head)}",
                observed="every form is refused there",
                fix="Refuse the form at the earlier position, or accept a form that goes with it.",
            ),
        )


@rule("FMT-011", level=1, source=plugins.FORMAT_BOOL, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def bool_and_uint8_are_refused(subject: Subject) -> Iterator[Finding]:
    """BOOL and UINT8 are refused at every position.

    TensorRT does not support them as types of plugin inputs and outputs.
    """
    trt = subject.trt
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        if question.form[0] not in {trt.DataType.BOOL, trt.DataType.UINT8}:
            continue
        yield judged(
            record.outcome(question) is not True,
            lambda: Violation(
                what=f"{METHOD} accepted {form_name(question.form)}",
                where=str(question),
                expected="False: plugins cannot have BOOL or UINT8 tensors",
                observed="True",
                fix="Test in_out[pos].type against the types that the kernels handle.",
            ),
        )


@rule("FMT-012", source=plugins.FORMAT_TRUE, interfaces=FORMAT_QUERYING | DECORATED, requires=COMPUTES | {"CFG-012"})
def accepted_combinations_compute(subject: Subject) -> Iterator[Finding]:
    """Every accepted combination really executes and gives correct results in that type and layout.

    TensorRT picks any of them, by time alone. One that does not work is found by the first network that gets it.
    """
    record = RecordedAnswers(subject)
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        for combination in accepted_combinations(record, input_types=types):
            problem = _problem_with(subject, combination)
            yield judged(
                not problem,
                lambda: Violation(
                    what=f"the accepted combination {combination} does not work",
                    where=f"enqueue with input shapes {list(best_shapes(subject.case))}",
                    expected="the outputs of the case's reference",
                    observed=problem,
                    fix=f"Refuse the combination in {METHOD}, or handle its types and formats in enqueue.",
                ),
            )
    if subject.case.reference is None:
        raise NotRun("every combination runs; the case has no reference to compare outputs with")


def _problem_with(subject: Subject, combination: Combination) -> str:
    """Run a combination and say what is wrong with it; empty if nothing is."""
    bench = Driver(subject, subject.create(), combination)
    run = usual_run(subject, best_shapes(subject.case), combination)
    if run.mishap is not None:
        return f"enqueue {run.mishap.how}"
    if subject.case.reference is None:
        return ""
    tolerances = [tolerance_of(subject.case, name) for name in (*bench.input_types, *bench.output_types)]
    loosest = [max(tolerances, key=lambda each: (each.rtol, each.atol))] * len(run.outputs)
    return str(first_difference(run.outputs, oracle_outputs(subject, run), loosest) or "")


@rule(
    "FMT-013",
    source=plugins.FORMAT_LIMIT,
    severity=Severity.WARNING,
    interfaces=FORMAT_QUERYING,
    requires=ANALYSES | {"FMT-006", "FMT-007"},
)
def combinations_stay_below_the_limit(subject: Subject) -> Iterator[Finding]:
    """The plugin accepts no more combinations than TensorRT looks at, which is 100.

    It stops after the hundredth, so those that matter may never be timed.
    """
    limit = 100
    accepted = accepted_combinations(RecordedAnswers(subject), most=limit + 1)
    yield judged(
        len(accepted) <= limit,
        lambda: Violation(
            what=f"{METHOD} accepts more than {limit} combinations",
            where=f"the first one that is cut off: {accepted[limit]}",
            expected=f"at most {limit} accepted combinations",
            observed=f"more than {limit}",
            fix="Let the types and formats of later tensors follow those of the first.",
        ),
    )


@rule("FMT-014", source=plugins.FORMAT_CALIBRATION, interfaces=VERSION_2, requires=RUNS)
def int8_comes_with_fp32_or_scales(subject: Subject) -> Iterator[Finding]:
    """A plugin with INT8 tensors also accepts FP32, or all its scales are set explicitly.

    Calibration runs the network in FP32; a plugin that cannot follow makes the network impossible to calibrate.
    """
    trt = subject.trt
    accepted = accepted_combinations(RecordedAnswers(subject))
    quantized = [each for each in accepted if any(dtype == trt.DataType.INT8 for dtype, _ in each.forms)]
    if not quantized:
        raise NotApplicable("no accepted combination has an INT8 tensor")
    floating = [each for each in accepted if not any(dtype == trt.DataType.INT8 for dtype, _ in each.forms)]
    scaled = all(entry.scale is not None for entry in subject.case.data_inputs)
    yield judged(
        scaled or any(any(dtype == trt.DataType.FLOAT for dtype, _ in each.forms) for each in floating),
        lambda: Violation(
            what="the plugin has INT8 tensors, no FP32 implementation, and no explicit scales",
            where=f"{METHOD}, which accepts {quantized[0]}",
            expected="FLOAT is accepted too, or the case gives a scale to every input",
            observed="neither",
            fix="Accept FLOAT:LINEAR as well, or set dynamic ranges (scale= in the case) for all its tensors.",
        ),
    )


@rule("FMT-015", level=1, source=plugins.FORMAT_DESCRIPTORS, interfaces=FORMAT_QUERYING, requires=ANALYSES)
def descriptors_are_read_by_their_own_names(subject: Subject) -> Iterator[Finding]:
    """Code reads ``in_out[pos].type`` and ``.format``; only ``IPluginV3`` has them behind ``.desc``.

    The other spelling raises AttributeError, which the bindings turn into False: every format is refused.
    """
    entry = "in_out[pos]" if subject.interface in VERSION_2 else "in_out[pos].desc"
    record = RecordedAnswers(subject)
    for question in all_questions(subject):
        reply = record.reply(question)
        if reply.missing:
            continue
        how = str(reply.outcome)
        yield judged(
            not (how.startswith("raised AttributeError") and "PluginTensorDesc" in how),
            lambda: Violation(
                what=f"{METHOD} reads an attribute that PluginTensorDesc does not have",
                where=str(question),
                expected=f"{entry}.type, .format, .dims and .scale",
                observed=f"{how.removeprefix('raised ')}; TensorRT takes the combination to be unsupported",
                fix=f"Read {entry}.type and {entry}.format; only IPluginV3 is given entries with .desc.",
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
    """Inputs and outputs are told apart by the passed number of inputs.

    With an optional input left out, the outputs begin at an earlier position than usual.
    """
    count = len(subject.case.data_inputs)
    others = {len(case.data_inputs): case for case in subject.origin.siblings if len(case.data_inputs) != count}
    if not others:
        raise NotApplicable("no other case of the plugin has another number of inputs")
    for count, case in sorted(others.items()):
        other = subject.with_case(case)
        yield judged(
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
    """``supports_format`` is answered for a type and a format alone, and takes one of LINEAR, CHW2 and HWC8.

    Later formats, such as CHW32, are not offered to plugins of these interfaces. The builder and the engine ask on
    their own: the answer rests on nothing that came before.
    """
    plugin = subject.create()
    for names in subject.case.type_choices:
        first = _legacy_formats(subject, plugin, names[0])
        yield judged(
            bool(first),
            lambda: Violation(
                what=f"supports_format takes {names[0]} in none of the formats that are offered",
                where=f"{names[0]} in {', '.join(LEGACY)}",
                expected="True for one of them",
                observed="False for all of them: no network can hold the plugin with this type of the case",
                fix="Take trt.TensorFormat.LINEAR; formats that came later are for later interfaces.",
            ),
        )
        again = _legacy_formats(subject, subject.create(), names[0]), _legacy_formats(subject, plugin, names[0])
        yield judged(
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
    """Return the formats that a plugin takes a type in, among those that it is offered."""
    asker = Asker(subject, plugin, dims=network_dims(subject))
    dtype, layouts = subject.data_type(name), subject.trt.TensorFormat.__members__
    return tuple(each for each in LEGACY if asker.ask(Question((), (dtype, layouts[each]))))


@rule("FMT-018", source=plugins.FORMAT_STRONG_TYPES, interfaces=FORMAT_QUERYING, requires=RUNS | {"OUT-004"})
def reported_types_are_accepted(subject: Subject) -> Iterator[Finding]:
    """In a strongly typed network the given input types with the reported output types are accepted.

    There TensorRT does not choose types: it asks for the formats of exactly these.
    """
    for names in accepted_choices(subject):
        types = [subject.data_type(name) for name in names]
        reported = reported_types(subject, types)
        accepted = accepted_combinations(RecordedAnswers(subject), input_types=types, output_types=reported, most=1)
        yield judged(
            bool(accepted),
            lambda: Violation(
                what=f"the reported output types {', '.join(t.name for t in reported)} are refused",
                where=f"{METHOD} with inputs of {', '.join(names)}",
                expected="a combination with exactly these output types, in some format",
                observed="none is accepted",
                fix="Let get_output_datatype and supports_format_combination agree on the output types.",
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
    """The answer depends on types and formats, not on scales or dimensions.

    Those are what is being asked. Scales are not known yet, and dimensions may hold -1.
    """
    plugin, record = subject.create(), RecordedAnswers(subject)
    asker = Asker(subject, plugin, dims=record.dims)
    concrete = Asker(subject, plugin, dims=[tuple(abs(n) for n in dims) for dims in record.dims])
    scaled = [question for question in all_questions(subject) if question.form[0] == subject.trt.DataType.INT8]
    wanted = {*telling_questions(subject), *scaled}
    for question in [each for each in all_questions(subject) if each in wanted]:
        asker.come_to(question)
        answers = {"scale=-1.0": record.ask(question), "scale=0.5": asker.ask(question, scale=0.5)}
        answers["dims without -1"] = concrete.ask(question)
        yield judged(
            len(set(answers.values())) == 1,
            lambda: Violation(
                what=f"{METHOD} depends on more than types and formats",
                where=str(question),
                expected="one answer for every scale and every dimension",
                observed="; ".join(f"{answer} with {name}" for name, answer in answers.items()),
                fix="Decide by in_out[i].type and in_out[i].format alone.",
            ),
        )
