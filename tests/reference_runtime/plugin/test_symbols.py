import pytest

from reference_runtime.plugin.symbols import ShapeExpr, ShapeExprs, SymExprs, SymInt16, SymInt32, calculating
from reference_runtime.shapes import expressions


@pytest.fixture
def extents():
    builder = expressions.new_builder(sizes=True)
    with calculating(builder):
        dims = expressions.input_dims(builder, 0, (-1, 6))
        yield ShapeExprs.from_tuple(ShapeExpr(each) for each in dims)


def described(extent):
    return expressions.describe(extent._expr)


def test_arithmetic_makes_expressions_of_the_builder_in_force(extents):
    rows, width = extents
    assert described(rows + 2) == described(ShapeExpr(rows + 2))
    assert (width * 2 - 4).constant_value() == 8
    assert not (rows // 2).is_constant
    assert (width == 6).constant_value() == 1
    assert (width < 6).constant_value() == 0


def test_an_extent_without_a_builder_is_fake_and_so_is_what_comes_of_it():
    fake = ShapeExpr(3)
    assert fake.is_fake
    assert (fake * 2 + 1).is_fake
    assert ShapeExprs(2, _is_dummy=True).numel().is_fake
    with pytest.raises(RuntimeError, match="Check is_fake"):
        fake.is_constant  # noqa: B018 - the property raises


def test_an_extent_is_no_condition_unless_it_is_constant(extents):
    rows, width = extents
    assert width
    with pytest.raises(RuntimeError, match="Cannot evaluate symbolic expression as boolean"):
        bool(rows)


@pytest.mark.parametrize("operation", [lambda x: 1 + x, lambda x: x % 2, lambda x: -x, lambda x: x > 1])
def test_what_the_original_has_not_is_not_here(operation, extents):
    with pytest.raises(TypeError):
        operation(extents[0])


def test_only_integers_of_32_bits_can_be_handed_to_a_kernel(extents):
    rows, _ = extents
    assert type(SymInt32(rows)()).__name__ == "ISymExpr"
    with pytest.raises(TypeError, match="not callable"):
        SymInt16(rows)()


def test_a_row_takes_integers_and_no_other_numbers(extents):
    row = SymExprs(2)
    row[0] = 3
    assert type(row[0]) is SymInt32
    with pytest.raises(ValueError, match="Float symbolic expressions"):
        row[1] = 1.5
    with pytest.raises(IndexError):
        row[2] = 1


def test_builders_in_force_end_with_their_block():
    with calculating(expressions.new_builder()):
        assert not ShapeExpr(3).is_fake
    assert ShapeExpr(3).is_fake
