import pytest

from reference_runtime import plugin as trtp
from reference_runtime.plugin.symbols import calculating
from reference_runtime.shapes import expressions


@pytest.mark.parametrize(
    ("work", "value"),
    [
        (lambda six: trtp.cdiv(six, 4), 2),
        (lambda six: trtp.cdiv(20, six), 4),
        (lambda six: trtp.max(six, 9), 9),
        (lambda six: trtp.min(4, six), 4),
    ],
)
def test_extents_are_calculated_with(work, value):
    with calculating(expressions.new_builder()):
        assert work(trtp.ShapeExpr(6)).constant_value() == value


@pytest.mark.parametrize("function", [trtp.cdiv, trtp.max, trtp.min])
def test_two_numbers_are_not_an_extent(function):
    with pytest.raises(ValueError, match="Both arguments cannot be 'int's"):
        function(1, 2)


def test_a_descriptor_is_made_of_extents_and_numbers():
    made = trtp.from_shape_expr((trtp.ShapeExpr(), 2), None)
    assert made.ndim == 2
    assert made.shape_expr[0].is_fake
