// LOOKS_LIKE NAT-008
//
// y = x. A failed CUDA call is no error where the plugin does without it. Without scratch memory, or if the copy into it
// fails, it copies directly. It ignores the status of a call that only clears this memory. Only the last copy must
// succeed, and its status is the plugin's.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <new>
#include <string>

using namespace nvinfer1;

namespace {

class Identity : public IPluginV2DynamicExt {
public:
    ~Identity() noexcept override { terminate(); }

    AsciiChar const* getPluginType() const noexcept override { return "ForgivingIdentity"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    int32_t getNbOutputs() const noexcept override { return 1; }
    int32_t initialize() noexcept override {
        if (mScratch == nullptr && cudaMalloc(&mScratch, kSIZE) != cudaSuccess) {
            mScratch = nullptr;
            cudaGetLastError();
        }
        return 0;
    }
    void terminate() noexcept override {
        cudaFree(mScratch);
        mScratch = nullptr;
    }
    size_t getSerializationSize() const noexcept override { return sizeof(mLargest); }
    void serialize(void* buffer) const noexcept override { std::memcpy(buffer, &mLargest, sizeof(mLargest)); }
    void destroy() noexcept override { delete this; }
    IPluginV2DynamicExt* clone() const noexcept override {
        auto* const copy = new Identity;
        copy->mLargest = mLargest;
        copy->mNamespace = mNamespace;
        if (mScratch != nullptr) {
            copy->initialize();
        }
        return copy;
    }

    bool deserialize(void const* data, size_t length) {
        if (length != sizeof(mLargest)) {
            return false;
        }
        std::memcpy(&mLargest, data, length);
        return true;
    }

    DataType getOutputDataType(int32_t, DataType const* types, int32_t) const noexcept override { return types[0]; }

    DimsExprs getOutputDimensions(int32_t, DimsExprs const* inputs, int32_t, IExprBuilder&) noexcept override {
        return inputs[0];
    }

    bool supportsFormatCombination(int32_t pos, PluginTensorDesc const* inOut, int32_t, int32_t) noexcept override {
        return inOut[pos].format == TensorFormat::kLINEAR && inOut[pos].type == DataType::kFLOAT;
    }

    void configurePlugin(DynamicPluginTensorDesc const* in, int32_t, DynamicPluginTensorDesc const*,
        int32_t) noexcept override {
        mLargest = in[0].max;
    }

    size_t getWorkspaceSize(
        PluginTensorDesc const*, int32_t, PluginTensorDesc const*, int32_t) const noexcept override {
        return 0;
    }

    int32_t enqueue(PluginTensorDesc const* inputs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t stream) noexcept override {
        int64_t count{1};
        for (int32_t axis = 0; axis < inputs[0].dims.nbDims; ++axis) {
            count *= inputs[0].dims.d[axis];
        }
        size_t const size = sizeof(float) * static_cast<size_t>(count);
        void const* from{in[0]};
        if (mScratch != nullptr && size <= kSIZE) {
            cudaMemsetAsync(mScratch, 0, kSIZE, stream);
            if (cudaMemcpyAsync(mScratch, from, size, cudaMemcpyDeviceToDevice, stream) == cudaSuccess) {
                from = mScratch;
            }
        }
        return cudaMemcpyAsync(out[0], from, size, cudaMemcpyDeviceToDevice, stream);
    }

private:
    static constexpr size_t kSIZE{1024};

    void* mScratch{nullptr};
    Dims mLargest{};
    std::string mNamespace;
};

class IdentityCreator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return "ForgivingIdentity"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV2* createPlugin(AsciiChar const*, PluginFieldCollection const*) noexcept override {
        return named(new Identity);
    }

    IPluginV2* deserializePlugin(AsciiChar const*, void const* data, size_t length) noexcept override {
        auto* const made = new Identity;
        if (made->deserialize(data, length)) {
            return named(made);
        }
        made->destroy();
        return nullptr;
    }

private:
    IPluginV2* named(Identity* plugin) const {
        plugin->setPluginNamespace(mNamespace.c_str());
        return plugin;
    }

    PluginFieldCollection mFields{0, nullptr};
    std::string mNamespace;
};

REGISTER_TENSORRT_PLUGIN(IdentityCreator);

}  // namespace
