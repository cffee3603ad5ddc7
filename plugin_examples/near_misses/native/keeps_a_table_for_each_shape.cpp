// LOOKS_LIKE NAT-002
//
// y = x, by a table for each shape that the library makes once and keeps to its end. The heap grows with the first run
// at a shape, and no more: that is no leak. Names are copied by strdup, and text grows in the C++ library.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace nvinfer1;

namespace {

// Returns where each element comes from; made at the first call for a number of elements.
std::vector<int64_t> const& table(int64_t count) {
    static std::map<int64_t, std::vector<int64_t>> tables;
    static std::mutex guard;
    std::lock_guard<std::mutex> const lock{guard};
    auto& found = tables[count];
    while (static_cast<int64_t>(found.size()) < count) {
        found.push_back(static_cast<int64_t>(found.size()));
    }
    return found;
}

class Identity : public IPluginV2DynamicExt {
public:
    ~Identity() noexcept override { std::free(mLabel); }

    AsciiChar const* getPluginType() const noexcept override { return "CachingIdentity"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name == nullptr ? "" : name; }
    int32_t getNbOutputs() const noexcept override { return 1; }
    int32_t initialize() noexcept override {
        std::free(mLabel);
        mLabel = strdup("an identity that is ready, with a name of some length");
        std::string text{mLabel};
        text.insert(0, std::string(200, ' ')).append(mNamespace);
        return text.empty() ? 1 : 0;
    }
    void terminate() noexcept override {}
    size_t getSerializationSize() const noexcept override { return sizeof(mLargest); }
    void serialize(void* buffer) const noexcept override { std::memcpy(buffer, &mLargest, sizeof(mLargest)); }
    void destroy() noexcept override { delete this; }
    IPluginV2DynamicExt* clone() const noexcept override {
        auto* const copy = new Identity;
        copy->mLargest = mLargest;
        copy->mNamespace = mNamespace;
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
        void*, cudaStream_t) noexcept override {
        int64_t count{1};
        for (int32_t axis = 0; axis < inputs[0].dims.nbDims; ++axis) {
            count *= inputs[0].dims.d[axis];
        }
        auto const& places = table(count);
        for (int64_t place = 0; place < count; ++place) {
            static_cast<float*>(out[0])[place] = static_cast<float const*>(in[0])[places[place]];
        }
        return 0;
    }

private:
    Dims mLargest{};
    char* mLabel{nullptr};
    std::string mNamespace;
};

class IdentityCreator : public IPluginCreator {
public:
    AsciiChar const* getPluginName() const noexcept override { return "CachingIdentity"; }
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
