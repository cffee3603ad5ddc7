"""Define the cases of ``spin_plugin``: the time on host or device, and the numbers of inputs and outputs."""

import numpy as np


def case(name, inputs, outputs, host_us=0.0, device_us=0.0, is_true=1.0):
    fields = {"host_us": host_us, "device_us": device_us, "outputs": outputs, "is_true": is_true}
    shape = {"dims": ("N",), "min": (1,), "opt": (4,), "max": (8,), "types": ("float32",)}
    return {
        "plugin": "Spin",
        "name": name,
        "fields": {key: np.array([value], np.float32) for key, value in fields.items()},
        "inputs": [shape] * inputs,
    }


HOST = {f"host-{us}us-{i}-in-{o}-out": (i, o, us) for us in (1, 5, 20) for i, o in ((1, 1), (3, 2), (5, 1), (2, 4))}
DEVICE = {f"device-{us}us": us for us in (2, 5, 20, 100)}
PLUGIN_CASES = [
    *(case(name, i, o, host_us=float(us)) for name, (i, o, us) in HOST.items()),
    *(case(name, 1, 1, device_us=float(us)) for name, us in DEVICE.items()),
    *(case(f"host-about-{us}us", 1, 1, host_us=float(us), is_true=0.0) for us in (20, 22, 30)),
    *(case(f"device-{us}us-slower", 1, 1, device_us=us * 1.05) for us in (5, 20)),
    case("device-24us", 1, 1, device_us=24.0),
]
