"""A function of a case gets ``fields`` if it takes them."""

import pytest

from harness.cases.functions import call_with_fields, takes_fields


@pytest.mark.parametrize(
    ("function", "takes"),
    [
        (lambda x: x, False),
        (lambda x, fields: x, True),  # noqa: ARG005 - the signature is what counts
        (lambda x, *, fields: x, True),  # noqa: ARG005 - as above
        (lambda x, **others: x, True),  # noqa: ARG005 - as above
        (lambda fields, /: fields, False),
    ],
)
def test_fields_are_for_functions_that_take_them(function, takes):
    assert takes_fields(function) is takes


def test_a_function_without_fields_is_called_without_them():
    assert call_with_fields(lambda x: x + 1, 2, fields={"a": 3}) == 3
    assert call_with_fields(lambda x, *, fields: x + fields["a"], 2, fields={"a": 3}) == 5
