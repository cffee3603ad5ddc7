"""What several processes found out adds up."""

from harness.protocol.latency_quantity import Quantity
from harness.protocol.latency_samples import Sampled


def test_samples_add_up_and_facts_are_kept():
    one, other = Sampled(facts={"launch": 1e-6}), Sampled(counts={"allocations": 1})
    one.keep(Quantity.FIRST_CALL, [1.0])
    other.keep(Quantity.FIRST_CALL, [2.0])
    one.add(other.to_plain())
    assert one == Sampled({"first_call": [1.0, 2.0]}, facts={"launch": 1e-6}, counts={"allocations": 1})
