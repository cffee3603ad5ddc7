"""Torch computes on the CPU what it is asked to do on CUDA, where torch is installed."""

import importlib.util
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[4]
pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
BEGIN = """
import threading
from types import SimpleNamespace as Object
import numpy as np
from harness.child import import_names as namespace
namespace.install(cupy=True)
import cupy as cp
import torch
from reference_runtime.devices import host
device = host.HostDevice()
x, y = device.allocate(12), device.allocate(12)
x.write(np.arange(3, dtype=np.float32))
y.fill(0)

def over(buffer, shape=(3,)):
    facts = {"shape": shape, "typestr": "<f4", "data": (buffer.address, False), "version": 2}
    return torch.as_tensor(Object(__cuda_array_interface__=facts), device="cuda")

def did(log):
    names = {x.address: "x", y.address: "y"}
    return [(each.kind, names.get(each.address), each.stream) for each in log]

stream = device.new_stream()
"""


@pytest.fixture(scope="module")
def printed():
    """Run several pieces of code, one after the other in one process, and return what each printed."""
    pieces = "\n".join(
        f"print('==', {name!r})\nwith host.use(device):\n" + "".join(f"    {line}\n" for line in code.splitlines())
        for name, code in PIECES.items()
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", BEGIN + pieces],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {part.partition("\n")[0]: part.partition("\n")[2].split("\n") for part in done.stdout.split("== ")[1:]}


PIECES = {
    "memory": """
torch.mul(over(x), 2, out=over(y))
print(y.read(np.float32, 3).tolist())
""",
    "random numbers": """
drawn = []
for seed in (torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all):
    seed(7)
    drawn.append(torch.rand(2, device="cuda").tolist())
print(torch.cuda.initial_seed(), drawn[0] == drawn[1] == drawn[2])
state = torch.cuda.get_rng_state()
first = torch.rand(2, device="cuda").tolist()
torch.cuda.set_rng_state(state)
print(first == torch.rand(2, device="cuda").tolist())
torch.seed()
with torch.random.fork_rng():
    torch.cuda.seed_all()
""",
    "a host array over the device": """
import ctypes
array = np.ndarray((3,), np.float32, buffer=(ctypes.c_float * 3).from_address(x.address))
with device.recording() as log:
    print(torch.as_tensor(array, device="cuda").tolist(), torch.asarray(array, device="cuda").tolist())
    print(torch.from_numpy(array).cuda().tolist(), torch.from_numpy(array).to("cuda", torch.float64).tolist())
print({each[0] for each in did(log)}, {each[1] for each in did(log)})
""",
    "records": """
with device.recording() as log, torch.cuda.stream(torch.cuda.ExternalStream(stream.handle)):
    torch.add(over(x), 1, out=over(y))
    over(y).reshape(3, 1)
print(did(log) == [("read", "x", stream.handle), ("write", "y", stream.handle)])
""",
    "views": """
with device.recording() as log:
    row = over(x).reshape(3, 1)[1:]
    row.add_(1)
print([(each.kind, each.address - x.address, each.nbytes) for each in log])
x.write(np.arange(3, dtype=np.float32))
""",
    "waits": """
with device.recording() as log:
    over(x).sum().item()
print([each.what for each in log.synchronizations])
""",
    "addresses": """
made = torch.arange(4, dtype=torch.float32, device="cuda")
row = made[2:]
address = made.data_ptr()
print(host.is_device_address(address), address % 256, row.data_ptr() - address, made.data_ptr() == address)
host.locate(row.data_ptr(), 8)[:4] = np.float32(7).tobytes()
print(made.cpu().tolist(), made.__cuda_array_interface__["data"] == (address, False))
del made, row
try:
    host.locate(address, 4)
except host.DeviceFault as fault:
    print("freed" in str(fault))
""",
    "device": """
made = torch.ones(2, device="cuda") + 1
print(made.is_cuda, made.device, torch.ones(2).is_cuda, made.cpu().is_cuda, torch.ones(2).to("cuda").is_cuda)
print(made.to(torch.float64).dtype, torch.zeros(1, device=made.device).is_cuda, torch.ones(1).cuda().to("cpu").is_cuda)
""",
    "numpy": """
for convert in (lambda: over(x).numpy(), lambda: np.asarray(over(x))):
    try:
        convert()
    except TypeError as error:
        print(str(error)[:40])
print(over(x).cpu().numpy().tolist())
""",
    "cupy": """
print(cp.asarray(over(x)).data.ptr == x.address, cp.asarray(over(x) * 3).tolist())
print(torch.from_dlpack(cp.arange(2, dtype=np.float32)).tolist(), torch.as_tensor(cp.arange(2), device="cuda").tolist())
""",
    "thread": """
seen = []
thread = threading.Thread(target=lambda: seen.append(over(x).is_cuda))
thread.start()
thread.join()
print(seen)
""",
    "bounds": """
try:
    over(x, (4,))
except host.DeviceFault as fault:
    print(fault)
""",
}


def test_random_numbers_are_drawn_by_the_cpu_and_can_be_repeated(printed):
    assert printed["random numbers"][:2] == ["7 True", "True"]


def test_a_numpy_array_over_memory_of_the_device_is_copied_as_cuda_does(printed):
    numbers = "[0.0, 1.0, 2.0]"
    assert printed["a host array over the device"] == [f"{numbers} {numbers}"] * 2 + ["{'read'} {'x'}", ""]


def test_a_tensor_lies_in_the_memory_of_the_device(printed):
    assert printed["memory"][0] == "[0.0, 2.0, 4.0]"


def test_work_is_recorded_on_the_current_stream_and_a_view_is_none(printed):
    assert printed["records"][0] == "True"


def test_of_a_view_its_own_part_is_recorded(printed):
    assert printed["views"][0] == "[('write', 4, 8)]"


def test_a_number_for_the_host_is_waited_for(printed):
    assert printed["waits"][0] == "['torch: item']"


def test_what_is_made_on_cuda_or_from_such_says_that_it_is_there(printed):
    assert printed["device"][:2] == ["True cuda:0 False False True", "torch.float64 True False"]


def test_memory_that_torch_allocates_has_an_address_of_the_device(printed):
    assert printed["addresses"][:3] == ["True 0 8 True", "[0.0, 1.0, 7.0, 3.0] True", "True"]


def test_numpy_gets_no_tensor_of_the_device(printed):
    assert printed["numpy"][:3] == ["can't convert cuda:0 device type tensor "] * 2 + ["[0.0, 1.0, 2.0]"]


def test_cupy_and_torch_see_each_other_s_arrays(printed):
    assert printed["cupy"][:2] == ["True [0.0, 3.0, 6.0]", "[0.0, 1.0] [0, 1]"]


def test_another_thread_is_heard_too(printed):
    assert printed["thread"][0] == "[True]"


def test_a_tensor_ends_where_its_buffer_does(printed):
    assert "not all of them in" in printed["bounds"][0]
