#!/usr/bin/env python3
"""Write headers that declare TensorRT's C++ interfaces, and the part of CUDA that plugins of this repository use.

    python tools/abi_headers.py FOLDER [--epoch 8|10|11]

The headers are generated from the table of facts in reference_runtime/native/abi, and contain no text of NVIDIA. Tests
compile plugins with them, without TensorRT's headers. A method has a body that does nothing and returns a default.
"""

import argparse
import functools
import pathlib

from reference_runtime.native.abi.facts import DESTRUCTOR, EPOCHS, Epoch, version_number

#: The kinds of plugins of version 2, in the top byte of the result of ``getTensorRTVersion``.
KINDS = {"IPluginV2": 0, "IPluginV2Ext": 1, "IPluginV2IOExt": 2, "IPluginV2DynamicExt": 3}
#: The return value of a method that a plugin need not override.
DEFAULTS = {"getFormatCombinationLimit": "100", "getAliasedInput": "-1"}
BEGIN = """// Made by tools/abi_headers.py of the table of facts: TensorRT {version} as far as plugins see it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#define NV_TENSORRT_MAJOR {major}
#define NV_TENSORRT_VERSION {number}
struct cudnnContext;
struct cublasContext;
namespace nvinfer1 {{
using char_t = char;
using AsciiChar = char_t;
using AllocatorFlags = uint32_t;
using InterfaceKind = char const*;
"""
AROUND = """class IDimensionExpr : public INoCopy {{
public:
    bool isConstant() const noexcept {{ return mImpl->isConstant(); }}
    {number} getConstantValue() const noexcept {{ return mImpl->getConstantValue(); }}
{size_tensor}
protected:
    apiv::VDimensionExpr* mImpl;
}};
class IExprBuilder : public INoCopy {{
public:
    IDimensionExpr const* constant({number} value) noexcept {{ return mImpl->constant(value); }}
    IDimensionExpr const* operation(DimensionOperation op, IDimensionExpr const& first,
        IDimensionExpr const& second) noexcept {{ return mImpl->operation(op, first, second); }}
{declare}
protected:
    apiv::VExprBuilder* mImpl;
}};
"""
SIZE_TENSOR = "    bool isSizeTensor() const noexcept { return mImpl->isSizeTensor(); }"
DECLARE = """    IDimensionExpr const* declareSizeTensor(int32_t output, IDimensionExpr const& best,
        IDimensionExpr const& upper) noexcept { return mImpl->declareSizeTensor(output, best, upper); }"""
END = """
}  // namespace nvinfer1
extern "C" nvinfer1::IPluginRegistry* getPluginRegistry() noexcept;
extern "C" nvinfer1::ILogger* getLogger() noexcept;
namespace nvinfer1 {
template <typename Creator> struct RegistersAtLoad {
    RegistersAtLoad() { getPluginRegistry()->registerCreator(creator, ""); }
    Creator creator{};
};
}  // namespace nvinfer1
#define REGISTER_TENSORRT_PLUGIN(Name) static nvinfer1::RegistersAtLoad<Name> registersAtLoad##Name {}
"""
CUDA = """// Made by tools/abi_headers.py: as much of CUDA's runtime as plugins of this repository use.
#pragma once
#include <cstddef>
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
enum cudaError_t : int { cudaSuccess = 0 };
enum cudaMemcpyKind : int {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice
};
struct dim3 { unsigned x{1}, y{1}, z{1}; };
extern "C" {
cudaError_t cudaMalloc(void** memory, std::size_t size);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t size, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t size, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t size, cudaStream_t stream);
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
cudaError_t cudaLaunchKernel(void const* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
    cudaStream_t stream);
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, char const* stub, char* kernel, char const* name, int limit, void* thread,
    void* block, void* block_dim, void* grid_dim, int* warp);
}
"""


def header(epoch):
    """Return the text of NvInfer.h for one epoch."""
    parts = [BEGIN.format(version=epoch.version, major=epoch.version.partition(".")[0],
                          number=version_number(epoch.version))]  # fmt: skip
    for name, held in epoch.enumerations.items():
        if "::" not in name:
            values = ", ".join(f"{member} = {value}" for member, value in held["values"].items())
            parts.append(f"enum class {name} : {held['type']} {{ {values} }};\n")
    parts.append("using PluginFormat = TensorFormat;\n")
    parts.append("".join(f"class {name};\n" for name in epoch.interfaces if "::" not in name))
    parts += [record(epoch, name) for name in ordered_records(epoch)]
    behind = {"apiv::VDimensionExpr", "apiv::VExprBuilder", "apiv::VRoot"}
    written = ["INoCopy", *sorted(behind, key=lambda name: name != "apiv::VRoot")]
    parts += [interface(epoch, name) for name in written]
    is_sized = "isSizeTensor" in str(epoch.interfaces["apiv::VDimensionExpr"])
    number = "int64_t" if is_sized else "int32_t"
    parts.append(AROUND.format(number=number, size_tensor=SIZE_TENSOR if is_sized else "",
                               declare=DECLARE if is_sized else ""))  # fmt: skip
    done = {*written, "IDimensionExpr", "IExprBuilder"}
    while missing := [name for name in epoch.interfaces if name not in done]:
        ready = next(name for name in missing if epoch.interfaces[name]["base"] in {"", *done})
        parts.append(interface(epoch, ready))
        done.add(ready)
    return "".join(parts) + END


def ordered_records(epoch):
    """Return the names of structures, each after the structures that it contains."""
    return sorted(epoch.records, key=functools.partial(depth, epoch))


def depth(epoch, name):
    """Return how deep structures are nested in a structure; 0 if it contains none."""
    kinds = (kind for _, kind in epoch.records[name].members.values())
    return max((depth(epoch, kind) + 1 for kind in kinds if kind in epoch.records), default=0)


def record(epoch, name):
    """Return the declaration of a structure."""
    if name == "PluginField":
        body = """    AsciiChar const* name; void const* data; PluginFieldType type; int32_t length;
    PluginField(AsciiChar const* n = nullptr, void const* d = nullptr, PluginFieldType t = PluginFieldType::kUNKNOWN,
        int32_t l = 0) noexcept : name{n}, data{d}, type{t}, length{l} {}
"""
        return f"struct PluginField {{\n{body}}};\n"
    arrays = {"Dims": "d", "DimsExprs": "d"}
    members = "".join(
        f"    {kind} {member}{'[8]' if arrays.get(name) == member else ''};\n"
        for member, (_, kind) in epoch.records[name].members.items()
    )
    extra = "    static constexpr int32_t MAX_DIMS{8};\n" if name == "Dims" else ""
    return f"struct {name} {{\n{extra}{members}}};\n"


def interface(epoch, name):
    """Return the declaration of a class, with the virtual functions that it adds to its base."""
    held, (scope, _, plain) = epoch.interfaces[name], name.rpartition("::")
    lines = [f"class {plain}{' : public ' + held['base'].rpartition('::')[2] if held['base'] else ''} {{\npublic:\n"]
    lines += nested(epoch, name)
    for slot in epoch.own_slots(name):
        if slot.name == DESTRUCTOR:
            lines.append(f"    virtual ~{plain}() noexcept = default;\n")
        elif slot.method != DESTRUCTOR:
            lines.append(f"    virtual {method(slot)} noexcept {{ {body(slot)} }}\n")
    if KINDS.get(name):
        kind = f"return ({KINDS[name]} << 24) | NV_TENSORRT_VERSION;"
        lines.append(f"    int32_t getTensorRTVersion() const noexcept override {{ {kind} }}\n")
    if "info" in held:
        kind, major, minor = held["info"]
        info = f'return InterfaceInfo{{"{kind}", {major}, {minor}}};'
        lines.append(f"    InterfaceInfo getInterfaceInfo() const noexcept override {{ {info} }}\n")
    text = "".join(lines) + "};\n"
    return f"namespace {scope} {{\n{text}}}\n" if scope else text


def nested(epoch, name):
    """Yield the declarations of types that are nested in an interface."""
    for spelled, held in epoch.enumerations.items():
        if spelled.rpartition("::")[0] == name:
            values = ", ".join(f"{member} = {value}" for member, value in held["values"].items())
            yield f"    enum class {spelled.rpartition('::')[2]} : {held['type']} {{ {values} }};\n"
    if name == "IErrorRecorder":
        yield "    using ErrorDesc = char const*; using RefCount = int32_t;\n"
    if name == "IPluginRegistry":
        yield "    using PluginLibraryHandle = void*;\n"


def method(slot):
    """Return a function's declaration without its body."""
    return f"{slot.returns} {slot.method}({', '.join(slot.takes)}){' const' if slot.constant else ''}"


def body(slot):
    """Return the default body of a function."""
    if slot.method == "getTensorRTVersion":
        return "return NV_TENSORRT_VERSION;"
    if slot.returns == "void":
        return ""
    return f"return {DEFAULTS.get(slot.method, '{}')};"


def write(folder, name):
    """Write the headers of an epoch into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "NvInfer.h").write_text(header(Epoch.of(name)), encoding="utf-8")
    for other in ("NvInferRuntime.h", "NvInferPlugin.h"):
        (folder / other).write_text('#pragma once\n#include "NvInfer.h"\n', encoding="utf-8")
    (folder / "cuda_runtime_api.h").write_text(CUDA, encoding="utf-8")


def main():
    """Write the headers of the epoch on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--epoch", choices=EPOCHS, default="10")
    given = parser.parse_args()
    write(given.folder, given.epoch)


if __name__ == "__main__":
    main()
