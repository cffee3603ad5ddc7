"""A tolerance is remarked on beyond a hundred times the default of its type."""

import pytest

from harness.cases.case import Case, Input, Tolerance
from harness.checks.running.wide_tolerance import wide_tolerances


@pytest.mark.parametrize(
    ("tolerance", "remarks"),
    [
        (None, []),
        (Tolerance(1e-3, 1e-3), []),
        (Tolerance(atol=2e-3), ["its tolerance is 0.002 for float32 (usual: 1e-05)"]),
        (Tolerance(rtol=0.5), ["its tolerance is 0.5 for float32 (usual: 1e-05)"]),
        ({"float16": Tolerance(1.0, 1.0), "int32": Tolerance(atol=1.0)}, []),
        ({"int32": Tolerance(atol=7.0)}, ["its tolerance is 7 for int32 (usual: 0)"]),
    ],
)
def test_remarks(tolerance, remarks):
    case = Case("Some", inputs=(Input(dims=(2, 3), types=("float32",)),), tolerance=tolerance)
    assert list(wide_tolerances(case)) == remarks
