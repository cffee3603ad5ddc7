"""Snippets of CuPy code whose answers are measured on a GPU and must be the same from the bridge.

Run ``python cupy_snippets.py cupy_14_2.json`` where CuPy has a GPU to measure again; ``test_cupy_answers.py``
compares. Each line is one snippet, its statements separated by "; "; what it evaluates to last is its answer.
Given are ``cp``, ``np``, ``x`` (2x3 float32), ``h`` (the same as float16), ``i`` (int32), ``b`` (bool) and ``n``
(``x`` on the host). The file is long because the list is.
"""

# ruff: noqa: E501 - a snippet is a line

import json
import re
import sys
import warnings

SNIPPETS = """
cp.array([1, 2, 3])
cp.array([1.5, 2])
cp.array(n)
cp.array(x) is x
cp.array(x, copy=False) is x
cp.array(x, copy=None, dtype=cp.float16)
cp.array([[1, 2], [3, 4]], dtype=np.float16, order='F').flags.f_contiguous
cp.array(3)
cp.array([x, x])
cp.array([n, n])
cp.array(['a'])
cp.array([None])
cp.array(1, ndmin=2)
cp.asarray(x) is x
cp.asarray(n)
cp.asarray(n, dtype='float16')
cp.asarray([1, 2], dtype=np.int8)
cp.ascontiguousarray(x) is x
cp.ascontiguousarray(x.T).strides
cp.ascontiguousarray(cp.array(1.0)).shape
cp.asanyarray(x) is x
cp.zeros((2, 3))
cp.zeros(3, np.int32)
cp.zeros(3, dtype='i')
cp.ones((2,), cp.float16)
cp.full((2, 2), 7)
cp.full(2, 7, dtype=cp.float16)
cp.empty((0, 3)).shape
cp.empty((2, 3)).shape
cp.empty_like(x, dtype=cp.int8).dtype
cp.zeros_like(n)
cp.zeros_like(x)
cp.ones_like(x)
cp.full_like(x, 2)
cp.arange(5)
cp.arange(1, 2, 0.25, dtype=cp.float32)
cp.eye(2)
cp.linspace(0, 1, 3)
cp.zeros(-1)
cp.zeros('a')
np.asarray(x)
np.array(x)
np.asarray(x, dtype=np.float32)
np.array([x, x])
np.float32(x[0, 0])
x.__array__()
float(x[0, 1])
float(x)
int(x[0, 1])
bool(x[0, 1])
bool(x)
bool(cp.zeros(0))
complex(x[0, 1])
len(x)
len(cp.array(1))
[type(e).__name__ for e in x]
iter(cp.array(1))
list(cp.arange(3))
range(3)[cp.array(1)]
[10, 20, 30][cp.array(1)]
hash(x)
x + n
n + x
n * x
n - x
n == x
x == n
x < n
x + np.float32(1)
np.float32(1) + x
np.float64(1) + x
x + np.array(1.0)
np.array(1.0, np.float32) + x
x @ n.T
n @ x.T
x += n
x + [1, 2, 3]
[1, 2, 3] + x
x + None
x + 'a'
x == None
x is None
x == 'a'
x != 'a'
x == [0, 1, 2]
x + 1
x + 1.5
h + 1.5
h * 2
h + x
i + 1.5
i + 1
i / 2
i // 2
i % 2
i * np.float32(2)
i + np.int64(2)
cp.uint8(1)
cp.arange(3, dtype=cp.uint8) + 1
cp.arange(3, dtype=cp.uint8) - 1
cp.arange(3, dtype=cp.uint8) + 300
cp.arange(3, dtype=cp.int8) * -1
-x
+x
abs(-x)
~b
~i
~x
x ** 2
2 ** i
divmod(i, 2)
1 / (x + 1)
1 - x
b & b
b | True
i << 1
i ^ 1
x > 2
x >= h
x @ x.T
x @ x
x += 1; x
x += 1.5; x
i += 1.5; i
i /= 2; i
i //= 2; i
h += x; h
x += h; x
x *= 2; x
x[0]
x[0, 1]
x[-1]
x[5]
x[0, 5]
x[:, 1]
x[..., 0]
x[None].shape
x[::-1]
x[1:, ::2]
x[[0, 1]]
x[[0, 5]]
x[np.array([0, 1])]
x[cp.array([1, 0])]
x[b]
x[x > 2]
x[np.array([True, False])]
x[0.5]
x['a']
x[0, 0, 0]
x[0][1] = 7; x
x[0] = 5; x
x[0] = n[1]; x
x[:] = n; x
x[...] = n * 2; x
x[:] = np.float32(3); x
x[:] = np.array(3.0); x
x[:] = np.array([1, 2, 3]); x
x[0] = [7, 8, 9]; x
x[:] = h; x
x[0] = i[1]; x
i[0] = 1.5; i
i[:] = x; i
x[b] = 0; x
x[b] = n[0]; x
x[x > 2] = -1; x
x[[0, 1], [0, 1]] = 9; x
x[0] = x[:, 0]; x
x[:, :] = cp.arange(4)
x[1:1] = 5; x
x.sum()
x.sum(axis=0)
x.sum(axis=(0, 1), keepdims=True)
i.sum()
h.sum()
b.sum()
x.max()
x.min(axis=1)
x.mean()
i.mean()
h.mean()
x.std()
x.var(axis=0)
x.prod()
x.argmax()
x.argmax(axis=1)
x.all()
x.any(axis=0)
x.cumsum()
x.cumsum(axis=1)
x.sum().item()
type(x.sum()).__name__
x.sum() + 1
float(x.sum())
x.dot(x.T)
x.clip(1, 3)
x.clip(1)
x.round(1)
x.astype(cp.float16)
x.astype('int32')
x.astype(x.dtype) is x
x.astype(x.dtype, copy=False) is x
x.astype(np.float16, order='F').flags.f_contiguous
x.view(cp.int32)
x.view(cp.float64)
x.reshape(3, 2)
x.reshape((3, -1))
x.reshape(4)
x.reshape(-1).base is x
x.ravel()
x.T.ravel()
x.flatten()
x.T
x.T.flags.c_contiguous
x.transpose(1, 0)
x.transpose()
x.swapaxes(0, 1)
x[None].squeeze()
x.repeat(2, axis=0)
x.take([0, 2], axis=1)
x.diagonal()
x.trace()
x.nonzero()
x.tolist()
x.item()
x.item(1)
x.sum().tolist()
x.tobytes()
x.fill(3); x
x.fill(np.float32(3)); x
x.fill(cp.array(3.0, dtype='f')); x
x.fill(n); x
x.copy()
x.copy().base is None
x.sort(); x
(-x).argsort(axis=1)
x.compress(cp.array([True, False]), axis=0)
x.searchsorted(1)
x.conj()
x.real
x.imag
x.put([0, 1], 9); x
x.ptp()
x.size
x.shape
x.strides
x.ndim
x.itemsize
x.nbytes
x.dtype
x.base is None
x[0].base is x
x[0][1:].base is x
x.data.ptr == x.data.mem.ptr
x[1].data.ptr - x.data.ptr
x.device
x.device.id
x.flags.c_contiguous, x.flags.f_contiguous, x.flags.owndata, x[0].flags.owndata
x.flags['C_CONTIGUOUS']
x.shape = (3, 2); x
x.dtype = np.int32
x.strides = (4, 4)
repr(x)
str(x)
repr(cp.array(1.5))
str(cp.zeros(0))
format(cp.array(1.5), '.2f')
f'{x.sum()}'
sorted(x.__cuda_array_interface__)
x.__cuda_array_interface__['shape'], x.__cuda_array_interface__['typestr'], x.__cuda_array_interface__['version'], x.__cuda_array_interface__['strides']
x.T.__cuda_array_interface__['strides']
x.__cuda_array_interface__['data'][0] == x.data.ptr, x.__cuda_array_interface__['data'][1]
x.__cuda_array_interface__['descr']
x.__array_priority__
hasattr(x, '__array_interface__')
memoryview(x)
bytes(x)
isinstance(x, np.ndarray)
x.ctypes
x.foo
x.get()
type(x.get()).__name__
x.get(out=np.zeros((2, 3), np.float32))
x.get(out=np.zeros((2, 3), np.float64))
x.get(out=np.zeros((3, 3), np.float32))
x.get(cp.cuda.Stream.null)
x.get(stream=cp.cuda.Stream(), blocking=False).shape
x.get(order='F').flags.f_contiguous
x.set(n * 2); x
x.set(n.astype('d'))
x.set(n[0])
x.set(n.tolist())
x.set(n, cp.cuda.Stream.null); x
x[0].set(n[1]); x
x[:, 0].set(n[:, 1]); x
cp.asnumpy(x)
cp.asnumpy([1, 2])
cp.asnumpy(n) is n
cp.asnumpy(x, out=np.zeros((2, 3), np.float32))
cp.get_array_module(x) is cp
cp.get_array_module(n) is np
cp.get_array_module(n, x) is cp
cp.get_array_module(1) is np
cp.copyto(x, x * 2); x
cp.copyto(x, n)
cp.copyto(x, h); x
cp.copyto(h, x); h
cp.copyto(i, x)
cp.copyto(i, x, casting='unsafe'); i
cp.copyto(x, 3); x
cp.copyto(i, 3.5)
cp.copyto(x, 1, where=b); x
cp.copyto(x, x[0]); x
cp.copyto(x, cp.zeros((3, 3)))
cp.copyto(x, np.float32(2)); x
cp.copyto(x, np.array(2.0)); x
cp.copyto(x, -x, where=x > 2); x
cp.copyto(n, x)
cp.copyto(x, 1, where=n > 1)
np.copyto(n, x)
np.copyto(x, n)
np.add(x, x)
np.add(x, 1)
np.add(x, n)
np.add(n, x)
np.exp(x)
np.maximum(x, 0)
np.add(x, x, out=x)
np.add(n, n, out=x)
np.add(x, x, out=n)
np.sum(x)
np.max(x)
np.mean(x, axis=0)
np.add.reduce(x)
np.multiply.outer(x, x).shape
np.concatenate([x, x]).shape
np.concatenate([n, x])
np.where(x > 2, x, 0)
np.zeros_like(x)
np.empty_like(x).shape
np.transpose(x)
np.reshape(x, (3, 2))
np.ravel(x)
np.shape(x)
np.ndim(x)
np.size(x)
np.pad(x, 1, mode='wrap').shape
np.clip(x, 1, 2)
np.dot(x, x.T)
np.matmul(x, x.T)
np.allclose(x, x)
np.array_equal(x, x)
np.isnan(x)
np.testing.assert_array_equal(x, x)
np.frombuffer(x)
np.prod(x.shape)
np.stack([x, x]).shape
np.copy(x)
np.full_like(x, 3)
np.ones_like(x)
np.result_type(x, np.float64)
np.can_cast(x, np.float16)
np.iscomplexobj(x)
cp.add(x, x)
cp.add(x, 1)
cp.add(x, n)
cp.add(n, n)
cp.add(1, 2)
cp.add(1.5, 2)
cp.add([1], [2])
cp.add(x, x, out=x) is x
cp.add(x, x, x)
cp.add(x, x, out=h)
cp.add(h, h, out=x)
cp.add(x, x, out=i)
cp.add(x, x, out=i, casting='unsafe')
cp.add(x, x, out=n)
cp.add(x, x, dtype=cp.float64)
cp.add(x, x, dtype='float16')
cp.add(x, x, where=b)
cp.add(x, x, out=x, where=b)
cp.add(x, cp.zeros((3, 2)))
cp.add(x, x, out=cp.zeros((3, 3), 'f'))
cp.add
type(cp.add).__name__
cp.add.__name__, cp.add.nin, cp.add.nout, cp.add.nargs
cp.add.reduce(x)
cp.add.outer(cp.arange(2), cp.arange(2))
cp.multiply(h, 0.1)
cp.multiply(x, np.float64(0.1)).dtype
cp.exp(h)
cp.exp(i)
cp.sqrt(4)
cp.sqrt(x)
cp.tanh(h).dtype
cp.maximum(x, 0)
cp.maximum(x, h)
cp.maximum(i, 0.5)
cp.minimum(x, x.mean())
cp.greater(x, 2, out=b); b
cp.where(x > 2, x, 0)
cp.where(x > 2, x, 0.1 * x).dtype
cp.where(h > 2, h, 0.1 * h).dtype
cp.where(x > 2)
cp.where(x > 2, n, 0)
cp.where(n > 2, x, 0)
cp.where(True, x, 0)
cp.clip(x, 1, 2)
cp.clip(x, 1, 2, out=x) is x
cp.clip(x, None, 2)
cp.clip(h, 0, 2.5).dtype
cp.concatenate([x, x])
cp.concatenate([x, x], axis=1)
cp.concatenate((x, h)).dtype
cp.concatenate([x, n])
cp.concatenate([n, n])
cp.concatenate([x[:1], x[1:]], axis=0, out=x) is x
cp.concatenate([x, x], out=x)
cp.concatenate([x, i], out=cp.zeros((4, 3), 'h'))
cp.concatenate(x)
cp.concatenate([])
cp.concatenate([x, cp.zeros((2, 2))])
cp.stack([x, x], axis=1).shape
cp.vstack([x, x]).shape
cp.hstack((x, x)).shape
cp.split(x, 3, axis=1)
cp.pad(x, 1).shape
cp.pad(x, ((1, 0), (0, 1)), mode='wrap')
cp.pad(x, 1, mode='constant', constant_values=5)
cp.pad(n, 1)
cp.tile(x, 2)
cp.roll(x, 1, axis=1)
cp.flip(x, 0)
cp.transpose(x, (1, 0))
cp.moveaxis(x, 0, 1).shape
cp.expand_dims(x, 0).shape
cp.squeeze(x[None]).shape
cp.broadcast_to(x, (2, 2, 3)).strides
cp.broadcast_to(n, (2, 2, 3))
cp.repeat(x, 2)
cp.reshape(x, (3, 2)).base is x
cp.ravel(x).base is x
cp.matmul(x, x.T)
cp.matmul(x, x.T, out=cp.zeros((2, 2), 'f'))
cp.matmul(h, h.T).dtype
cp.dot(x, x.T)
cp.einsum('ij,kj->ik', x, x)
cp.tensordot(x, x, axes=2)
cp.outer(x[0], x[0])
cp.inner(x[0], x[0])
cp.linalg.norm(x)
cp.sum(x)
cp.sum(n)
cp.sum(3)
cp.sum([1, 2])
cp.sum(x, axis=0, out=cp.zeros(3, 'f'))
cp.sum(h, dtype=cp.float32)
cp.max(x)
cp.amax(x, axis=1)
cp.mean(h, axis=0)
cp.argmax(x)
cp.argsort(-x, axis=1)
cp.sort(-x, axis=1)
cp.sort(n)
cp.unique(cp.array([3, 1, 3]))
cp.nonzero(x > 2)
cp.argwhere(x > 2)
cp.count_nonzero(x)
cp.bincount(cp.array([1, 1, 2]))
cp.cumsum(x)
cp.diff(x)
cp.all(x)
cp.any(x)
cp.allclose(x, x)
cp.array_equal(x, x)
cp.isclose(x, x)
cp.isnan(x)
cp.isfinite(x)
cp.round(x + 0.5)
cp.rint(x)
cp.floor(h)
cp.sign(-x)
cp.power(x, 2)
cp.square(x)
cp.reciprocal(x + 1)
cp.mod(x, 2)
cp.logical_and(b, x > 1)
cp.logical_not(b)
cp.bitwise_and(i, 1)
cp.float32 is np.float32
cp.dtype is np.dtype
cp.newaxis is None
cp.bool_ is np.bool_
cp.pi
cp.inf
cp.float32(1.5)
cp.result_type(x, h)
cp.result_type(x, 1.5)
cp.result_type(cp.float16, cp.float32)
cp.can_cast(x, cp.float16)
cp.can_cast(cp.float32, cp.float16)
cp.promote_types('f', 'e')
cp.isscalar(1)
cp.isscalar(x.sum())
cp.finfo(cp.float16).max
cp.ndim(x)
cp.size(x)
cp.shape(x)
cp.may_share_memory(x, x[0])
cp.shares_memory(x, x[0])
cp.prod(cp.array(x.shape))
cp.tril(cp.ones((2, 2)))
cp.meshgrid(cp.arange(2), cp.arange(2))[0]
cp.take(x, cp.array([0, 5]))
cp.take(x, [0, 1], axis=1)
cp.take_along_axis(x, cp.array([[0], [1]]), axis=1)
cp.put(x, [0], 5); x
cp.indices((2, 2)).shape
cp.ix_(cp.arange(2), cp.arange(2))[0].shape
cp.nan_to_num(x)
cp.interp(cp.array([0.5]), cp.arange(2.0), cp.arange(2.0))
cp.random.rand(2).shape
cp.random.seed(0)
cp.fft.fft(cp.arange(4.0))
cp.frombuffer(b'abcd', dtype=np.uint8)
cp.fromiter([1, 2], int)
cp.nothing
cp.nditer
cp.void
cp.str_
cp.object_
cp.datetime64
cp.asmatrix
cp.ndenumerate
cp.errstate
cp.is_available()
cp.ndarray((2, 3)).dtype
cp.ndarray(6).shape
cp.ndarray((6,), np.float16, x.data).nbytes
cp.ndarray((2, 3), np.float32, x.data)
cp.ndarray((2, 3), dtype=np.float32, memptr=x.data) is x
cp.ndarray((3,), np.float32, x.data + 12)
cp.ndarray((2, 2), np.float32, memptr=x.data, strides=(12, 4))
cp.ndarray((3, 2), np.float32, memptr=x.data, order='F')
cp.ndarray((2,), np.float32, memptr=x.data).base
cp.ndarray((2,), np.float32, memptr=x.data).flags.owndata
cp.ndarray((2,), np.float32, memptr=x.data.ptr)
cp.ndarray((2,), np.float32, memptr=x)
cp.ndarray((2,), np.float32, x.data, strides=(4, 4))
cp.ndarray((-1,), np.float32)
cp.ndarray((2, 3), None).dtype
cp.ndarray((2, 3), cp.dtype('U1'))
cp.ndarray(np.array([2, 3]), np.float32).shape
cp.ndarray([2, 3], 'f').shape
cp.ndarray(cp.array([2, 3]), 'f')
cp.ndarray((np.int64(2), 3), 'f').shape
cp.ndarray((2.0, 3), 'f')
cp.ndarray(shape=(2,), dtype='f', memptr=None, order='X')
cp.ndarray()
cp.ndarray((0, 3), 'f', cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(0, 0, None, 0), 0)).shape
m = cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, x); (m.ptr == x.data.ptr, m.size, m.device_id, m.device)
m = cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, None); m.size
cp.cuda.UnownedMemory(x.data.ptr, x.nbytes)
cp.cuda.UnownedMemory(0, 0, None)
cp.cuda.UnownedMemory(0, 16, None)
cp.cuda.UnownedMemory(0, 0, None, 0).ptr
cp.cuda.UnownedMemory(x.data.ptr, -1, None)
cp.cuda.UnownedMemory('a', 1, None)
cp.cuda.UnownedMemory(1.5, 1, None)
cp.cuda.UnownedMemory(n.ctypes.data, 24, n).device_id
cp.cuda.UnownedMemory(ptr=x.data.ptr, size=24, owner=x, device_id=0).size
p = cp.cuda.MemoryPointer(cp.cuda.UnownedMemory(x.data.ptr, x.nbytes, x), 4); (p.ptr - x.data.ptr, int(p) - x.data.ptr, p.device_id, type(p.mem).__name__)
cp.cuda.MemoryPointer(x.data.mem, 4).ptr - x.data.ptr
cp.cuda.MemoryPointer(x.data.mem)
cp.cuda.MemoryPointer(x.data.ptr, 0)
(x.data + 8).ptr - x.data.ptr
(8 + x.data).ptr - x.data.ptr
(x.data + 8 - 4).ptr - x.data.ptr
x.data - x.data
type(x.data).__name__
type(x.data.mem).__name__
x.data == x.data
x.data.copy_from_device(h.data, 12); x.view('int32').ravel()[:3].shape
x.data.copy_from_device_async(x.data + 12, 12); x
x.data.copy_from_device_async((x * 2).data, 24, cp.cuda.Stream.null); x
x.data.copy_from(n.ctypes.data, 24); x
x.data.copy_from_host(n.ctypes.data, 24); x
x.data.copy_from_host_async(n.ctypes.data, 24, stream=cp.cuda.Stream.null); x
x.data.copy_from((x + 1).data, 24); x
x.data.copy_to_host(n.ctypes.data, 24); n
x.data.copy_to_host_async(n.ctypes.data, 24); n
x.data.memset(0, 8); x
x.data.memset_async(0, 24); x
x.data.memset_async(0, 24, cp.cuda.Stream.null); x
x.data.copy_from_device(x.data.ptr, 4)
type(cp.cuda.alloc(100)).__name__
type(cp.cuda.alloc(100).mem).__name__
cp.cuda.alloc(100).mem.size
cp.cuda.alloc(0).ptr
cp.cuda.alloc(0).mem.size
cp.cuda.alloc(-1)
cp.cuda.Memory(100).size
type(cp.cuda.malloc_managed(8).mem).__name__
cp.cuda.alloc(100).ptr % 256
p = cp.cuda.MemoryPool(); a = p.malloc(1000); (a.mem.size, p.used_bytes(), p.total_bytes(), p.free_bytes(), p.n_free_blocks())
p = cp.cuda.MemoryPool(); a = p.malloc(1000); del a; (p.used_bytes(), p.total_bytes(), p.n_free_blocks()); p.free_all_blocks(); p.total_bytes()
p = cp.cuda.MemoryPool(); p.set_limit(size=1024); p.get_limit()
p = cp.cuda.MemoryPool(); p.set_limit(size=1024); p.malloc(4096)
cp.get_default_memory_pool().get_limit()
type(cp.get_default_memory_pool()).__name__, type(cp.get_default_pinned_memory_pool()).__name__
cp.get_default_pinned_memory_pool().n_free_blocks()
p = cp.cuda.MemoryPool(); c = cp.cuda.using_allocator(p.malloc); c.__enter__(); a = cp.zeros(4); c.__exit__(None, None, None); p.used_bytes()
cp.cuda.get_allocator().__name__
cp.cuda.set_allocator(None)
m = cp.cuda.alloc_pinned_memory(16); (type(m).__name__, m.size())
cp.cuda.Stream.null
cp.cuda.Stream.null.ptr
cp.cuda.Stream.ptds.ptr
cp.cuda.Stream(null=True).ptr
cp.cuda.Stream(ptds=True).ptr
cp.cuda.Stream(null=True) == cp.cuda.Stream.null
cp.cuda.Stream() == cp.cuda.Stream.null
cp.cuda.Stream().ptr != 0
cp.cuda.Stream(non_blocking=True).is_non_blocking
cp.cuda.Stream().is_non_blocking
cp.cuda.Stream().priority
cp.cuda.Stream().device_id
cp.cuda.Stream.null.device_id
cp.cuda.Stream().done
cp.cuda.Stream().synchronize()
cp.cuda.Stream(priority=0).priority
cp.cuda.Stream.null.is_capturing()
type(cp.cuda.Stream().record()).__name__
e = cp.cuda.Event(); cp.cuda.Stream().record(e) is e
cp.cuda.Stream().wait_event(cp.cuda.Event())
cp.cuda.Stream().wait_event(None)
cp.cuda.get_current_stream()
cp.cuda.get_current_stream().ptr
cp.cuda.get_current_stream() == cp.cuda.Stream.null
s = cp.cuda.Stream(); c = s.__enter__(); r = (c is s, cp.cuda.get_current_stream() == s, cp.cuda.get_current_stream() is s); s.__exit__(None, None, None); r
s = cp.cuda.Stream(); r = s.use() is s; r2 = cp.cuda.get_current_stream().ptr == s.ptr; cp.cuda.Stream.null.use(); (r, r2)
s = cp.cuda.Stream(); e = cp.cuda.ExternalStream(s.ptr); (e.ptr == s.ptr, e.device_id, e == s)
s = cp.cuda.Stream(); e = cp.cuda.ExternalStream(s.ptr, 0); e.device_id
cp.cuda.ExternalStream(0)
cp.cuda.ExternalStream(0) == cp.cuda.Stream.null
cp.cuda.ExternalStream(0).use().ptr
cp.cuda.ExternalStream('a')
cp.cuda.ExternalStream()
cp.cuda.ExternalStream(1.0)
hash(cp.cuda.Stream.null)
cp.cuda.Stream.from_external(5)
cp.cuda.Stream.from_external(0)
s = cp.cuda.Stream(); e = cp.cuda.Stream.from_external(s); (type(e).__name__, e.ptr == s.ptr, e is s)
s = cp.cuda.Stream(); s.__cuda_stream__()[0]
s = cp.cuda.Stream(); H = type('H', (), {'__cuda_stream__': lambda self: (0, s.ptr)}); e = cp.cuda.Stream.from_external(H()); (type(e).__name__, e.ptr == s.ptr, e.device_id)
H = type('H', (), {'__cuda_stream__': lambda self: (1, 0)}); cp.cuda.Stream.from_external(H())
H = type('H', (), {'__cuda_stream__': lambda self: 7}); cp.cuda.Stream.from_external(H())
cp.cuda.Stream(5).ptr != 0
cp.cuda.Stream(True).ptr
l = []; s = cp.cuda.Stream(); s.launch_host_func(l.append, 3); s.synchronize(); l
l = []; s = cp.cuda.Stream(); s.add_callback(lambda st, err, arg: l.append((err, arg)), 3); s.synchronize(); l
e = cp.cuda.Event(); e.record(); e.synchronize(); e.done
cp.cuda.Event().done
e = cp.cuda.Event(); e.record(cp.cuda.Stream.null)
a, c = cp.cuda.Event(), cp.cuda.Event(); a.record(); c.record(); c.synchronize(); cp.cuda.get_elapsed_time(a, c) >= 0
cp.cuda.Event(disable_timing=True).ptr != 0
cp.cuda.Device().id
cp.cuda.Device(0)
cp.cuda.Device(0) == cp.cuda.Device()
cp.cuda.Device(0) == 0
int(cp.cuda.Device(0))
hash(cp.cuda.Device(0))
cp.cuda.Device(99).use()
cp.cuda.Device('a')
cp.cuda.Device(0).__enter__().id
cp.cuda.Device(0).use() is None
cp.cuda.Device(0).synchronize()
len(cp.cuda.Device(0).mem_info)
cp.cuda.Device(0).attributes['WarpSize']
cp.cuda.get_device_id()
cp.cuda.is_available()
cp.cuda.runtime.getDevice()
cp.cuda.runtime.setDevice(0)
cp.cuda.runtime.setDevice(99)
cp.cuda.runtime.getDeviceCount()
cp.cuda.runtime.deviceSynchronize()
cp.cuda.runtime.streamSynchronize(0)
cp.cuda.runtime.streamQuery(0)
cp.cuda.runtime.is_hip
type(cp.cuda.runtime.runtimeGetVersion()).__name__
type(cp.cuda.runtime.driverGetVersion()).__name__
cp.cuda.runtime.getDeviceProperties(0)['warpSize'], type(cp.cuda.runtime.getDeviceProperties(0)['name']).__name__
cp.cuda.runtime.deviceGetAttribute(cp.cuda.runtime.cudaDevAttrWarpSize, 0)
len(cp.cuda.runtime.memGetInfo())
cp.cuda.runtime.memcpyHostToDevice, cp.cuda.runtime.memcpyDeviceToHost, cp.cuda.runtime.memcpyDeviceToDevice, cp.cuda.runtime.memcpyDefault, cp.cuda.runtime.memcpyHostToHost
cp.cuda.runtime.streamDefault, cp.cuda.runtime.streamNonBlocking, cp.cuda.runtime.streamLegacy, cp.cuda.runtime.streamPerThread
cp.cuda.runtime.eventDefault, cp.cuda.runtime.eventBlockingSync, cp.cuda.runtime.eventDisableTiming, cp.cuda.runtime.eventInterprocess
cp.cuda.runtime.hostAllocDefault, cp.cuda.runtime.memoryTypeDevice, cp.cuda.runtime.memoryTypeHost, cp.cuda.runtime.memoryTypeManaged, cp.cuda.runtime.memoryTypeUnregistered
cp.cuda.runtime.memcpy(x.data.ptr, n.ctypes.data, 24, 1); x
cp.cuda.runtime.memcpy(n.ctypes.data, x.data.ptr, 24, cp.cuda.runtime.memcpyDeviceToHost); n
cp.cuda.runtime.memcpy(x.data.ptr, x.data.ptr + 12, 12, cp.cuda.runtime.memcpyDeviceToDevice); x
cp.cuda.runtime.memcpy(x.data.ptr, n.ctypes.data, 24, cp.cuda.runtime.memcpyDefault); x
cp.cuda.runtime.memcpyAsync(x.data.ptr, x.data.ptr + 12, 12, cp.cuda.runtime.memcpyDeviceToDevice, 0); x
cp.cuda.runtime.memcpyAsync(x.data.ptr, x.data.ptr + 12, 12, cp.cuda.runtime.memcpyDeviceToDevice, cp.cuda.Stream.null)
cp.cuda.runtime.memcpy(x.data.ptr, x.data.ptr, 4, 99)
cp.cuda.runtime.memset(x.data.ptr, 0, 8); x
cp.cuda.runtime.memsetAsync(x.data.ptr, 0, 24, 0); x
cp.cuda.runtime.malloc(0)
p = cp.cuda.runtime.malloc(16); cp.cuda.runtime.free(p)
cp.cuda.runtime.free(0)
cp.cuda.runtime.free(12345)
p = cp.cuda.runtime.malloc(16); cp.cuda.runtime.free(p); cp.cuda.runtime.free(p)
p = cp.cuda.runtime.malloc(16); cp.cuda.runtime.free(p + 4)
p = cp.cuda.runtime.mallocAsync(16, 0); cp.cuda.runtime.freeAsync(p, 0)
p = cp.cuda.runtime.mallocManaged(16); cp.cuda.runtime.free(p)
cp.cuda.runtime.malloc(1 << 60)
cp.cuda.runtime.pointerGetAttributes(x.data.ptr).type
cp.cuda.runtime.pointerGetAttributes(x.data.ptr).device
cp.cuda.runtime.pointerGetAttributes(n.ctypes.data).type
cp.cuda.runtime.streamDestroy(cp.cuda.runtime.streamCreate())
cp.cuda.runtime.streamDestroy(cp.cuda.runtime.streamCreateWithFlags(1))
cp.cuda.runtime.eventDestroy(cp.cuda.runtime.eventCreate())
e = cp.cuda.runtime.eventCreate(); cp.cuda.runtime.eventRecord(e, 0); cp.cuda.runtime.streamWaitEvent(0, e); cp.cuda.runtime.eventSynchronize(e)
cp.cuda.runtime.CUDARuntimeError.__mro__[1].__name__
cp.cuda.runtime.CUDARuntimeError.__name__, cp.cuda.runtime.CUDARuntimeError.__module__
cp.fuse(lambda a, c: a * c + 1)(x, 2)
cp.fuse()(lambda a: a * 2)(x)
cp.fuse(kernel_name='k')(lambda a: cp.maximum(a, 0))(x)
cp.ElementwiseKernel('float32 a', 'float32 c', 'c = a', 'k').name
cp.RawKernel('extern "C" __global__ void k() {}', 'k').name
cp.asarray(type('D', (), {'__cuda_array_interface__': x.__cuda_array_interface__})())
cp.asarray(type('D', (), {'__cuda_array_interface__': x.__cuda_array_interface__})()).data.ptr == x.data.ptr
type(x.__dlpack__()).__name__
x.__dlpack_device__()
cp.from_dlpack(x).data.ptr == x.data.ptr
cp.from_dlpack(n)
type(x.toDlpack()).__name__
__import__('pickle').loads(__import__('pickle').dumps(x))
__import__('copy').copy(x)
__import__('copy').deepcopy(x)
__import__('operator').index(x.argmax())
max(x.ravel())
sum(cp.arange(4))
1 in x
x.any() and 3
not x
np.float32(2) * x
np.int64(2) * i
np.float64(2) * h
x * np.float64(2)
h * np.float32(2)
True + x
x[()].shape
x[cp.newaxis, ..., cp.newaxis].shape
x[x.argmax(axis=0)]
x[cp.array(1)]
x[i % 2 == 0]
cp.arange(10)[cp.arange(3) + 2]
cp.arange(10)[slice(cp.array(2), 5)]
cp.zeros((2, 3), dtype=cp.float32).__class__ is cp.ndarray
issubclass(cp.ndarray, np.ndarray)
cp.ndarray.__module__, cp.ndarray.__name__
cp.__name__
cp.cuda.__name__, cp.cuda.runtime.__name__
cp.cuda.memory.MemoryPointer is cp.cuda.MemoryPointer
cp.cuda.stream.ExternalStream is cp.cuda.ExternalStream
cp.cuda.device.Device is cp.cuda.Device
cp.__version__
""".strip().splitlines()

_ADDRESS = re.compile(r"0x[0-9a-f]+|\b\d{6,}\b")


def _plain(value):
    """Return ``value`` as JSON; floats are rounded to what two implementations share."""
    if isinstance(value, float):
        return repr(round(value, 5))
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value if isinstance(value, (int, str, bool, type(None))) else _ADDRESS.sub("#", repr(value))


def describe(value, cp, np):  # noqa: PLR0911 - a kind of thing each
    """Return what a snippet gave, as JSON: the kind of thing, its type and its value."""
    if isinstance(value, cp.ndarray):
        return ["device array", str(value.dtype), list(value.shape), _plain(value.get().tolist())]
    if isinstance(value, np.ndarray):
        return ["host array", str(value.dtype), list(value.shape), _plain(value.tolist())]
    if isinstance(value, np.generic):
        return ["host scalar", str(value.dtype), _plain(value.item())]
    if isinstance(value, np.dtype):
        return ["dtype", str(value)]
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, [describe(item, cp, np) for item in value]]
    if isinstance(value, (int, float, str, bool, type(None))):
        return [type(value).__name__, _plain(value)]
    return ["object", type(value).__name__, _ADDRESS.sub("#", repr(value))]


def answer(snippet, cp, np):
    """Run one snippet on fresh arrays and describe its outcome, an exception included."""
    n = np.arange(6, dtype=np.float32).reshape(2, 3)
    x = cp.array(n)
    given = {"cp": cp, "np": np, "n": n, "x": x, "h": x.astype(np.float16), "i": x.astype(np.int32), "b": x % 2 == 0}
    *before, last = snippet.split("; ")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            for statement in before:
                exec(statement, given)  # noqa: S102
            try:
                code = compile(last, "<snippet>", "eval")
            except SyntaxError:
                exec(last, given)  # noqa: S102
                outcome = ["done"]
            else:
                outcome = describe(eval(code, given), cp, np)  # noqa: S307
        except Exception as error:  # noqa: BLE001
            outcome = ["raised", type(error).__name__, _ADDRESS.sub("#", str(error))]
        cp.cuda.set_allocator(cp.get_default_memory_pool().malloc)
        cp.cuda.Stream.null.use()
    return [*outcome, *sorted({f"warned {w.category.__name__}: {w.message}" for w in warned})]


if __name__ == "__main__":
    import cupy
    import numpy as np

    answers = {}
    for snippet in SNIPPETS:
        answers[snippet] = answer(snippet, cupy, np)
        sys.stderr.write(f"{snippet} -> {answers[snippet]}\n")
    lines = ",\n".join(f"{json.dumps(snippet)}: {json.dumps(found)}" for snippet, found in answers.items())
    with open(sys.argv[1], "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f'{{"cupy": "{cupy.__version__}", "numpy": "{np.__version__}", "answers": {{\n{lines}\n}}}}\n')
