"""Each quantity knows with which it is taken, and says what it is."""

from harness.protocol.latency_quantity import Group, Quantity


def test_what_comes_once_in_a_process_is_taken_alone():
    alone = {quantity for quantity in Quantity if quantity.group is not Group.STEADY}
    assert alone == {Quantity.FIRST_CALL, Quantity.AFTER_DESERIALIZE, Quantity.SHAPE_SWITCH}


def test_a_gpu_alone_tells_latencies_of_a_device():
    assert {quantity.value for quantity in Quantity if quantity.needs_gpu} == {
        "device_hot",
        "device_hot_net",
        "device_cold",
        "device_cold_net",
    }


def test_each_says_what_it_is():
    assert len({quantity.meaning for quantity in Quantity}) == len(Quantity)
