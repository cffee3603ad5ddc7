"""Operations of dimension expressions in exact arithmetic, and the numbers that TensorRT has room for."""

import math
from fractions import Fraction

from hypothesis import HealthCheck, settings

#: What each operation means, in words of its own.
MEANING = {
    "SUM": lambda a, b: a + b,
    "PROD": lambda a, b: a * b,
    "MAX": lambda a, b: (a + b + abs(a - b)) // 2,
    "MIN": lambda a, b: (a + b - abs(a - b)) // 2,
    "SUB": lambda a, b: a - b,
    "EQUAL": lambda a, b: 1 if a == b else 0,
    "LESS": lambda a, b: 1 if a < b else 0,
    "FLOOR_DIV": lambda a, b: math.floor(Fraction(a, b)),
    "CEIL_DIV": lambda a, b: math.ceil(Fraction(a, b)),
}
LOW, HIGH = -(2**63), 2**63 - 1
#: The same examples in every run, and no limit that a busy machine reaches.
STEADY = settings(
    derandomize=True, max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
