"""NET: networks that come from ONNX models, as far as it is a plugin's matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.prerequisites import RUNS
from conformance.sources import plugins
from harness.checks.fields import field_variants as variants
from harness.checks.fields.creating import create_from
from harness.checks.lifecycle.equivalence import behaviour, unlike_the_usual
from harness.contract.finding import Finding, NotApplicable, Violation, check
from harness.contract.rule import Severity, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.subject.subject import Subject


@rule("NET-006", source=plugins.ONNX_ATTRIBUTES, severity=Severity.WARNING, requires=RUNS | {"PFD-008"})
def attributes_of_a_node_make_the_plugin(subject: Subject) -> Iterator[Finding]:
    """``create_plugin`` accepts fields as TensorRT's ONNX parser makes them from a node's attributes.

    The parser passes every whole number as INT32, against the advertised type. Text has a NUL at its end.
    A plugin that requires INT64 cannot be used in an ONNX model.
    """
    offers = [(value, variants.as_attribute(subject.trt, value)) for value in subject.fields]
    others = [(value, other) for value, other in offers if other is not None and other.type != value.type]
    if not others:
        raise NotApplicable("no field of the case changes its type as an attribute of an ONNX node")
    usual = behaviour(subject, subject.create())
    for value, other in others:
        fields = [other if each.name == value.name else each for each in subject.fields]
        problem = unlike_the_usual(subject, usual, create_from(subject, fields))
        yield check(
            not problem,
            lambda: Violation(
                what=f"create_plugin does not read field {value.name!r} as an attribute of an ONNX node",
                where=f"create_plugin with {other}",
                expected=f"the same plugin as from {value}",
                observed=problem,
                fix="Accept both types: convert the values of field.data.",
            ),
        )
