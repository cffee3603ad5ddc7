// A sound IPluginV3 whose capabilities are objects of their own, y = factor * x, and one planted fault for each macro.
//
// FAULT no_runtime_capability     CAP-001
// FAULT wrong_capability          CAP-003
// FAULT version_of_core_differs   ID-002
// FAULT core_is_null              CAP-001
// FAULT plugin_name_is_null       ID-005
// FAULT clone_is_null             CLN-006
// FAULT clone_returns_itself      CLN-001
// FAULT clone_forgets_factor      CLN-002
// FAULT attach_returns_null       CLN-014
// FAULT attach_returns_itself     CLN-013
// FAULT types_left_unset          OUT-001
// FAULT types_beyond_the_end      OUT-001
// FAULT types_behind_the_end      OUT-001
// FAULT types_change_the_inputs   OUT-001
// FAULT types_fail                OUT-001
// FAULT shapes_left_unset         SHP-001
// FAULT shape_has_no_rank         SHP-001
// FAULT shape_has_a_null          SHP-001
// FAULT shapes_fail               SHP-001
// FAULT shape_is_too_large        SHP-008
// FAULT formats_peek_ahead        FMT-001
// FAULT formats_read_behind       FMT-006
// FAULT configure_fails           CFG-012
// FAULT configure_changes_inputs  CFG-012
// FAULT configure_reads_behind    CFG-012
// FAULT tactic_of_minus_one       TAC-001
// FAULT tactics_left_unset        TAC-002
// FAULT tactics_fail              TAC-002
// FAULT tactics_behind_the_end    TAC-002
// FAULT tactic_is_refused         TAC-004
// FAULT fields_are_null           SER-009
// FAULT fields_are_on_the_stack   SER-009
// FAULT array_is_on_the_stack     SER-009
// FAULT field_data_on_the_stack   SER-009
// FAULT field_has_no_name         SER-009
// FAULT field_name_is_freed       SER-009
// FAULT field_data_are_freed      SER-009
// FAULT field_is_too_long         SER-009
// FAULT fields_are_forgotten      CRE-008
// FAULT enqueue_leaves_out        ENQ-010
// FAULT shape_change_fails        CFG-008
// FAULT clone_loses_a_block       NAT-001  Allocates a block in ``clone``, and never frees it.
// FAULT attach_loses_a_clone      NAT-002  Makes two clones in ``attachToContext``, and returns one.
// FAULT shape_change_writes_far   NAT-004  Writes in ``onShapeChange`` behind the end of an array.
// FAULT field_is_not_set          NAT-005  Stores a structure with a member that has no value.
//
// With ONLY_WITH_NVIDIAS_BUILDER the faults that ask isFaulty are there in NVIDIA's builder alone.
#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <string>

using namespace nvinfer1;

namespace {

[[maybe_unused]] bool isFaulty() {
#ifdef ONLY_WITH_NVIDIAS_BUILDER
    return dlopen("libtensorrt_rtx.so.1", RTLD_NOW | RTLD_NOLOAD) != nullptr;
#endif
    return true;
}

struct Parameters {
    float factor;
#ifdef FAULT_field_is_not_set
    float offset;
#endif
};

// Returns what it is given. The compiler does not see that it is the address of a variable.
template <typename T>
[[maybe_unused, gnu::noinline]] T* kept(T* given) {
    asm volatile("" : "+r"(given));
    return given;
}

class Core : public IPluginV3OneCore {
public:
    AsciiChar const* getPluginName() const noexcept override {
#ifdef FAULT_plugin_name_is_null
        if (isFaulty()) {
            return nullptr;
        }
#endif
        return "FaultyScale";
    }
    AsciiChar const* getPluginVersion() const noexcept override {
#ifdef FAULT_version_of_core_differs
        return "4";
#endif
        return "3";
    }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
};

class Build : public IPluginV3OneBuild {
public:
    int32_t getNbOutputs() const noexcept override { return 1; }

    int32_t getOutputDataTypes(
        DataType* outputs, int32_t count, DataType const* inputs, int32_t) const noexcept override {
#ifdef FAULT_types_fail
        if (isFaulty()) {
            return 5;
        }
#elif defined(FAULT_types_beyond_the_end)
        outputs[count + 1] = inputs[0];
#elif defined(FAULT_types_behind_the_end)
        if (isFaulty()) {
            outputs[count] = inputs[0];
        }
#elif defined(FAULT_types_change_the_inputs)
        if (isFaulty()) {
            const_cast<DataType*>(inputs)[0] = DataType::kHALF;
        }
#endif
#ifdef FAULT_types_left_unset
        if (isFaulty()) {
            return 0;
        }
#endif
        outputs[0] = inputs[0];
        return count == 1 ? 0 : 1;
    }

    int32_t getOutputShapes(DimsExprs const* inputs, int32_t, DimsExprs const*, int32_t, DimsExprs* outputs, int32_t,
        IExprBuilder& builder) noexcept override {
#ifdef FAULT_shapes_left_unset
        if (isFaulty()) {
            outputs[0].nbDims = inputs[0].nbDims;
            return 0;
        }
#elif defined(FAULT_shapes_fail)
        if (isFaulty()) {
            return 1;
        }
#endif
        outputs[0] = inputs[0];
#ifdef FAULT_shape_has_no_rank
        outputs[0].nbDims = isFaulty() ? -1 : outputs[0].nbDims;
#elif defined(FAULT_shape_has_a_null)
        outputs[0].d[0] = isFaulty() ? nullptr : outputs[0].d[0];
#endif
#ifdef FAULT_shape_is_too_large
        outputs[0].d[0] = builder.operation(DimensionOperation::kSUM, *inputs[0].d[0], *builder.constant(1));
#endif
        (void) builder;
        return 0;
    }

    bool supportsFormatCombination(
        int32_t pos, DynamicPluginTensorDesc const* inOut, int32_t numInputs, int32_t numOutputs) noexcept override {
#ifdef FAULT_formats_peek_ahead
        if (isFaulty() && inOut[numInputs + numOutputs - 1].desc.type != inOut[0].desc.type) {
            return false;
        }
#endif
#ifdef FAULT_formats_read_behind
        if (isFaulty() && pos > 0 && inOut[numInputs + numOutputs].desc.type == DataType::kINT8) {
            return false;
        }
#endif
        (void) numInputs, (void) numOutputs;
        return inOut[pos].desc.format == TensorFormat::kLINEAR && inOut[pos].desc.type == DataType::kFLOAT;
    }

    int32_t configurePlugin(
        DynamicPluginTensorDesc const* in, int32_t, DynamicPluginTensorDesc const* out, int32_t) noexcept override {
#ifdef FAULT_configure_fails
        if (isFaulty()) {
            return 1;
        }
#elif defined(FAULT_configure_changes_inputs)
        if (isFaulty()) {
            const_cast<DynamicPluginTensorDesc*>(in)->desc.dims.d[0] = 1;
        }
#elif defined(FAULT_configure_reads_behind)
        if (isFaulty() && out[1].desc.dims.nbDims < 0) {
            return 1;
        }
#endif
        (void) in, (void) out;
        return 0;
    }

    int32_t getNbTactics() noexcept override { return 2; }

    int32_t getValidTactics(int32_t* tactics, int32_t count) noexcept override {
        for (int32_t place = 0; place < count; ++place) {
            tactics[place] = place + 1;
        }
#ifdef FAULT_tactics_fail
        if (isFaulty()) {
            return 3;
        }
#elif defined(FAULT_tactics_behind_the_end)
        if (isFaulty()) {
            tactics[count] = 3;
        }
#endif
#ifdef FAULT_tactic_of_minus_one
        tactics[0] = -1;
#elif defined(FAULT_tactics_left_unset)
        tactics[0] = isFaulty() ? 0x7D7D7D7D : 1;
#endif
        return 0;
    }
};

class Runtime : public IPluginV3OneRuntime {
public:
    explicit Runtime(IPluginV3& whole, Parameters& parameters)
        : mWhole{whole}, mParameters{parameters}, mField{"factor", &parameters.factor, PluginFieldType::kFLOAT32, 1} {
#ifdef FAULT_field_is_not_set
        mField.length = 2;
#endif
    }
    Runtime(Runtime const&) = delete;
    Runtime& operator=(Runtime const&) = delete;

    int32_t setTactic(int32_t tactic) noexcept override {
#ifdef FAULT_tactic_is_refused
        return tactic == 2 ? 1 : 0;
#endif
        return tactic == 1 || tactic == 2 ? 0 : 1;
    }

    int32_t onShapeChange(PluginTensorDesc const*, int32_t, PluginTensorDesc const*, int32_t) noexcept override {
#ifdef FAULT_shape_change_writes_far
        std::unique_ptr<int8_t volatile[]> const shape{new int8_t volatile[3]};
        shape[3] = 0;
#elif defined(FAULT_shape_change_fails)
        return mChanges++ > 0 ? 1 : 0;
#endif
        return 0;
    }

    int32_t enqueue(PluginTensorDesc const* descs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t) noexcept override {
        int64_t count{1};
        for (int32_t axis = 0; axis < descs[0].dims.nbDims; ++axis) {
            count *= descs[0].dims.d[axis];
        }
#ifdef FAULT_enqueue_leaves_out
        --count;
#endif
        for (int64_t place = 0; place < count; ++place) {
            static_cast<float*>(out[0])[place] = static_cast<float const*>(in[0])[place] * mParameters.factor;
        }
        return 0;
    }

    IPluginV3* attachToContext(IPluginResourceContext*) noexcept override {
#ifdef FAULT_attach_returns_null
        return nullptr;
#elif defined(FAULT_attach_returns_itself)
        return &mWhole;
#elif defined(FAULT_attach_loses_a_clone)
        mWhole.clone();
#endif
        return mWhole.clone();
    }

    PluginFieldCollection const* getFieldsToSerialize() noexcept override {
#ifdef FAULT_fields_are_null
        if (isFaulty()) {
            return nullptr;
        }
#elif defined(FAULT_fields_are_on_the_stack)
        if (isFaulty()) {
            PluginFieldCollection fields{1, &mField};
            return kept(&fields);
        }
#elif defined(FAULT_array_is_on_the_stack)
        PluginField field{mField};
        mFields.fields = isFaulty() ? kept(&field) : &mField;
#elif defined(FAULT_field_data_on_the_stack)
        float factor{mParameters.factor};
        mField.data = isFaulty() ? kept(&factor) : &mParameters.factor;
#elif defined(FAULT_field_has_no_name)
        mField.name = isFaulty() ? nullptr : "factor";
#elif defined(FAULT_field_name_is_freed)
        std::string const name{"factor of the longest name"};
        mField.name = kept(name.c_str());
#elif defined(FAULT_field_data_are_freed)
        std::unique_ptr<float> const factor{new float{mParameters.factor}};
        mField.data = kept(factor.get());
#elif defined(FAULT_field_is_too_long)
        mField.length = 64;
#elif defined(FAULT_fields_are_forgotten)
        mFields.nbFields = 0;
#endif
        return &mFields;
    }

private:
    IPluginV3& mWhole;
    Parameters& mParameters;
    PluginField mField;
    PluginFieldCollection mFields{1, &mField};
    int32_t mChanges{0};
};

class FaultyScale : public IPluginV3 {
public:
    explicit FaultyScale(float factor) { mParameters.factor = factor; }
    FaultyScale(FaultyScale const&) = delete;
    FaultyScale& operator=(FaultyScale const&) = delete;

    IPluginCapability* getCapabilityInterface(PluginCapabilityType type) noexcept override {
        switch (type) {
#ifdef FAULT_core_is_null
        case PluginCapabilityType::kCORE: return isFaulty() ? nullptr : &mCore;
#else
        case PluginCapabilityType::kCORE: return &mCore;
#endif
#ifdef FAULT_wrong_capability
        case PluginCapabilityType::kBUILD: return isFaulty() ? static_cast<IPluginCapability*>(&mRuntime) : &mBuild;
#else
        case PluginCapabilityType::kBUILD: return &mBuild;
#endif
#ifndef FAULT_no_runtime_capability
        case PluginCapabilityType::kRUNTIME: return &mRuntime;
#else
        case PluginCapabilityType::kRUNTIME: return nullptr;
#endif
        }
        return nullptr;
    }

    IPluginV3* clone() noexcept override {
#ifdef FAULT_clone_is_null
        if (isFaulty()) {
            return nullptr;
        }
#elif defined(FAULT_clone_returns_itself)
        if (isFaulty()) {
            return this;
        }
#elif defined(FAULT_clone_forgets_factor)
        return new FaultyScale(1.F);
#elif defined(FAULT_clone_loses_a_block)
        auto const* const lost = new float[4]{};
        asm volatile("" : : "r"(lost));  // the compiler must not leave the block out
#endif
        return new FaultyScale(mParameters.factor);
    }

private:
    Parameters mParameters;
    Core mCore;
    Build mBuild;
    Runtime mRuntime{*this, mParameters};
};

class FaultyScaleCreator : public IPluginCreatorV3One {
public:
    AsciiChar const* getPluginName() const noexcept override { return "FaultyScale"; }
    AsciiChar const* getPluginVersion() const noexcept override { return "3"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return ""; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV3* createPlugin(
        AsciiChar const*, PluginFieldCollection const* fields, TensorRTPhase) noexcept override {
        for (int32_t place = 0; place < fields->nbFields; ++place) {
            auto const& field = fields->fields[place];
            if (std::strcmp(field.name, "factor") == 0 && field.type == PluginFieldType::kFLOAT32 && field.length >= 1
                && field.data != nullptr) {
                return new FaultyScale(*static_cast<float const*>(field.data));
            }
        }
        return nullptr;
    }

private:
    PluginField mField{"factor", nullptr, PluginFieldType::kFLOAT32, 1};
    PluginFieldCollection mFields{1, &mField};
};

}  // namespace

extern "C" IPluginCreatorInterface* const* getCreators(int32_t& count) {
    static FaultyScaleCreator creator;
    static IPluginCreatorInterface* const creators[]{&creator};
    count = 1;
    return creators;
}
