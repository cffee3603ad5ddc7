// LOOKS_LIKE CLN-009
//
// y = x. It stores the dimensions that configurePlugin is given. Until then they are what the heap held before, which is
// no fault: TensorRT serializes a plugin after it is configured. Two new objects differ, whether they are cloned or not.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cstring>
#include <new>
#include <string>

using namespace nvinfer1;

namespace {

class Identity : public IPluginV2DynamicExt {
public:
    Identity() {}
    Identity(Identity const&) = default;

    // The heap of a process that runs for long: what new memory holds differs from object to object.
    static void* operator new(size_t size) {
        static unsigned char used{0};
        void* const memory = ::operator new(size);
        std::memset(memory, ++used, size);
        return memory;
    }
    static void operator delete(void* memory) { ::operator delete(memory); }

    AsciiChar const* getPluginType() const noexcept override { return "StoringIdentity"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    int32_t getNbOutputs() const noexcept override { return 1; }
    int32_t initialize() noexcept override { return 0; }
    void terminate() noexcept override {}
    size_t getSerializationSize() const noexcept override { return sizeof(mLargest); }
    void serialize(void* buffer) const noexcept override { std::memcpy(buffer, &mLargest, sizeof(mLargest)); }
    void destroy() noexcept override { delete this; }
    IPluginV2DynamicExt* clone() const noexcept override { return new Identity(*this); }

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
        void*, cudaStream_t) noexcept override {
        int64_t count{1};
        for (int32_t axis = 0; axis < inputs[0].dims.nbDims; ++axis) {
            count *= inputs[0].dims.d[axis];
        }
        std::memcpy(out[0], in[0], sizeof(float) * static_cast<size_t>(count));
        return 0;
    }

private:
    Dims mLargest;
    std::string mNamespace;
};

class IdentityCreator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return "StoringIdentity"; }
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
