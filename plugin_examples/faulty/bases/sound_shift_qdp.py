"""Cases and oracle for witnesses that are decorated plugins ``faulty::shift``: ``y = x + addend``, FP32 or FP16.

It registers nothing: a decorated plugin has no base class to override, so each witness is written out.
"""

import cupy as cp
import numpy as np
import tensorrt as trt


def shifted(x, *, fields):
    return x + x.dtype.type(fields["addend"])


def run_shift(x, addend, output, stream):
    """Compute what ``impl`` should."""
    if x.numel() == 0:
        return
    with cp.cuda.ExternalStream(stream):
        given = view(x)
        cp.add(given, given.dtype.type(addend), out=view(output))


def view(tensor):
    """Return an array over a tensor's memory; ``cp.asarray(tensor)`` would wait for the stream first."""
    dtype = np.dtype(trt.nptype(tensor.dtype))
    memory = cp.cuda.UnownedMemory(tensor.data_ptr, tensor.numel() * dtype.itemsize, tensor)
    return cp.ndarray(tuple(tensor.shape), dtype, cp.cuda.MemoryPointer(memory, 0))


def cases(name="shift", *addends, **more):
    return [
        {
            "plugin": name,
            "namespace": "faulty",
            "name": f"by_{addend}",
            "fields": {"addend": addend},
            "inputs": [
                {
                    "dims": ("N", 3),
                    "min": (1, 3),
                    "opt": (2, 3),
                    "max": (4, 3),
                    "types": ("float32", "float16"),
                }
            ],
            "reference": shifted,
            **more,
        }
        for addend in addends
    ]


SHIFT_CASES = cases("shift", 1.5, -2.0)
