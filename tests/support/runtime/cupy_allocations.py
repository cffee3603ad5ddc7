"""Pieces of CuPy code, and how to measure which of them allocate memory and which can be captured in a CUDA graph.

Run ``python cupy_allocations.py cupy_14_2_allocations.json`` where CuPy has a GPU to measure again;
``test_cupy_answers.py`` compares. Given are the names of ``given``; each piece is on a line of its own.
"""

import json
import sys

OPERATIONS = """
cp.add(x, x, out=y)
cp.copyto(y, x)
cp.copyto(y, x, where=b)
cp.copyto(y, 3)
cp.copyto(h, x)
y[:1] = x[1:]
y[...] = x
y[...] = 3
y[b] = 0
y[b] = x[b]
y[[0, 1]] = 0
y.fill(0)
x.copy()
x + 1
x[0]
x.T
x.reshape(3, 2)
x.T.ravel()
cp.concatenate([x[:1], x[1:]], out=y)
cp.concatenate([x, x])
cp.stack([x, x])
cp.where(b, x, y)
cp.maximum(x, 0, out=y)
cp.clip(x, 1, 2, out=y)
x.sum()
x.sum(axis=0)
cp.sum(x, axis=0, out=v)
x.max()
x.mean()
x.mean(axis=0)
x.var(axis=0)
x.argmax()
x.astype(cp.float16)
x.astype(cp.float32, copy=False)
x.cumsum()
x.any()
x.nonzero()
x[b]
x[[0, 1]]
x[i]
cp.take(x, i, axis=0)
cp.take(x, i, axis=0, out=z)
cp.pad(x, 1, mode='wrap')
cp.tile(x, 2)
cp.roll(x, 1)
cp.flip(x, 0)
cp.transpose(x)
cp.broadcast_to(x, (2, 2, 3))
cp.matmul(x, x.T)
cp.matmul(x, x.T, out=w)
cp.dot(x, x.T)
cp.einsum('ij,kj->ik', x, x)
cp.exp(x)
cp.sqrt(x, out=y)
cp.isnan(x)
cp.allclose(x, y)
cp.count_nonzero(x)
cp.argwhere(x)
cp.unique(x)
cp.sort(x)
x.sort()
x.argsort()
cp.zeros((2, 3))
cp.empty((2, 3))
cp.zeros_like(x)
cp.arange(3)
cp.asarray(n)
cp.array([1, 2])
x.set(n)
y += x
y += 1
y *= h
x.get()
float(x[0, 0])
bool(x.any())
x.data.copy_from_device(y.data, 8)
x.data.copy_from_device_async(y.data, 8)
x.data.memset(0, 8)
x.data.memset_async(0, 8)
cp.cuda.runtime.memcpyAsync(x.data.ptr, y.data.ptr, 8, 3, s.ptr)
cp.cuda.runtime.memcpy(x.data.ptr, y.data.ptr, 8, 3)
s.synchronize()
s.record()
cp.cuda.Device().synchronize()
cp.linalg.norm(x)
cp.random.rand(3)
cp.asnumpy(x)
cp.repeat(x, 2)
cp.meshgrid(v, v)
x.round(1)
x.clip(0, 1)
abs(x)
-x
x > 1
x == y
cp.split(x, 3, axis=1)
cp.squeeze(x)
x.view(cp.int32)
cp.bincount(i)
cp.ascontiguousarray(x.T)
cp.full((2,), 1.5)
cp.outer(v, v)
cp.tensordot(x, y, axes=2)
cp.isfinite(x).all()
divmod(x, 2)
x ** 2
y[:, 1:] = y[:, :-1]
v[1:] = v[:-1]
x[...] = x
y[i] = 0
y[i] = x
y[:, i] = 1
cp.add(x[:, :-1], 1, out=x[:, 1:])
cp.add(x, x[0], out=x)
cp.add(x, 1, out=x)
cp.copyto(y[:, 1:], y[:, :-1])
x.T[...] = y.T
y[...] = h
y[...] = x[0]
cp.concatenate([y[:, 1:], y[:, :1]], axis=1, out=y)
cp.empty((0, 4))
x[:0] = 1
cp.sum(x, out=cp.empty((), 'f'))
cp.ndarray((3,), 'f', x.data)
cp.asarray(x)
cp.where(b, x, 0)
cp.multiply(x, 0.5, out=y)
cp.greater(x, 0, out=b)
x.tolist()
x.T.copy()
cp.ascontiguousarray(x)
cp.einsum('ij->ji', x)
cp.cumsum(v, out=v)
cp.divide(x, y, out=y)
cp.vstack([v, v])
x.put([0], 1)
cp.linalg.norm(v)
""".strip().splitlines()


def given(cp, np):
    """Return fresh arrays and a stream, by the names that the operations use."""
    n = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = cp.array(n)
    arrays = {"x": x, "y": x + 1, "h": x.astype(np.float16), "b": x % 2 == 0, "i": cp.array([1, 0])}
    outputs = {"v": cp.zeros(3, "f"), "w": cp.zeros((2, 2), "f"), "z": cp.zeros((2, 3), "f")}
    return {"cp": cp, "np": np, "n": n, "s": cp.cuda.Stream(non_blocking=True), **arrays, **outputs}


def perform(operation, names):
    """Perform one operation and return what it gives, so that the memory of it stays in use."""
    try:
        return eval(operation, names)  # noqa: S307
    except SyntaxError:
        return exec(operation, names)  # noqa: S102


def allocations(operation, cp, np):
    """Return how often an operation asks the allocator for memory of more than no bytes."""
    sizes = []
    names = given(cp, np)
    pool = cp.cuda.MemoryPool()
    with names["s"]:
        cp.cuda.set_allocator(lambda size: sizes.append(size) or pool.malloc(size))
        result = perform(operation, names)
        cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
        names["s"].synchronize()
    del result
    return sum(size > 0 for size in sizes)


def can_be_captured(operation, cp, np):
    """Tell whether a CUDA graph can record an operation: it then neither waits nor calls ``cudaMalloc``."""
    names = given(cp, np)
    cp.cuda.Device().synchronize()
    with names["s"] as stream:
        stream.begin_capture()
        try:
            perform(operation, names)
            stream.end_capture()
        except (RuntimeError, cp.cuda.memory.OutOfMemoryError):
            return False
    return True


if __name__ == "__main__":
    import cupy
    import numpy as np

    measured = {}
    for operation in OPERATIONS:
        allocations(operation, cupy, np)  # the first time compiles
        measured[operation] = [allocations(operation, cupy, np), can_be_captured(operation, cupy, np)]
        sys.stderr.write(f"{operation} -> {measured[operation]}\n")
    lines = ",\n".join(f"{json.dumps(operation)}: {json.dumps(found)}" for operation, found in measured.items())
    with open(sys.argv[1], "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f'{{"cupy": "{cupy.__version__}", "operations": {{\n{lines}\n}}}}\n')
