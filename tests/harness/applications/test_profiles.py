"""What applications say in profiles."""

from harness.applications.network_facts import Bounds
from harness.applications.profiles import statements
from harness.applications.references import Ref
from tests.support.application_traces import Script


def wrong_with(script):
    return [statement.wrong for statement in statements(script.trace)]


def test_bounds_that_are_refused_are_told():
    script = Script()
    known = {"owner": "IOptimizationProfile", "target": Ref("profile", 1), "input": "x"}
    script.call("set_shape", **known, error="RuntimeError: inconsistent")
    script.call("set_shape", **known)
    assert wrong_with(script) == ["the bounds of x contradict each other"]


def test_a_profile_that_is_refused_is_told():
    script = Script()
    for index in (0, -1):
        script.call("add_optimization_profile", owner="IBuilderConfig", result=index)
    assert wrong_with(script) == ["", "a profile was refused: its bounds are not in order"]


def test_a_profile_fits_the_fixed_extents_and_the_rank():
    script = Script()
    fine, width, rank = (Bounds(0, "x", (-1, 4), (shape,) * 3) for shape in ((2, 4), (2, 5), (2,)))
    script.call("build_serialized_network", owner="Builder", facts={"bounds": (fine, width, rank)})
    assert wrong_with(script) == [
        "",
        "profile 0 gives x the shape (2, 5), and the network has (-1, 4)",
        "profile 0 gives x the shape (2,), and the network has (-1, 4)",
    ]
