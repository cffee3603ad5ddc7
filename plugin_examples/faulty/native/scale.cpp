// A sound IPluginV2DynamicExt, y = factor * x, and one planted fault for each macro that is named below.
//
// FAULT clone_returns_itself      CLN-001
// FAULT clone_forgets_factor      CLN-002
// FAULT clone_forgets_namespace   ID-013
// FAULT clone_is_null             CLN-006
// FAULT clone_loses_the_table     CLN-003
// FAULT clone_shares_the_table    DST-003
// FAULT wrong_type_name           ID-001
// FAULT wrong_version             ID-002
// FAULT namespace_is_ignored      ID-013
// FAULT namespace_is_null         ID-012
// FAULT no_outputs                ID-007
// FAULT output_type_is_bool       OUT-005
// FAULT output_type_of_index      OUT-003
// FAULT output_type_alternates    OUT-007
// FAULT shape_is_garbage          SHP-002
// FAULT shape_has_a_null          SHP-002
// FAULT shape_of_last_call        SHP-004
// FAULT shape_of_a_dynamic_value  SHP-007
// FAULT shape_is_too_large        SHP-008
// FAULT shape_divides_by_zero     SHP-012
// FAULT shape_counts_calls        SHP-006
// FAULT formats_peek_ahead        FMT-001
// FAULT formats_take_bool         FMT-011
// FAULT formats_refuse_all        FMT-007
// FAULT formats_alternate         FMT-002
// FAULT configure_aborts          CFG-012
// FAULT configure_writes          CFG-012
// FAULT configure_writes_before   CFG-012
// FAULT configure_writes_behind   CFG-012
// FAULT configure_keeps_pointer   ENQ-010
// FAULT configure_accumulates     CFG-004
// FAULT initialize_fails_late     INI-001
// FAULT serialize_too_much        SER-014
// FAULT serialize_forgets         SER-004
// FAULT serialize_counts          SER-002
// FAULT serialize_a_pointer       CLN-002
// FAULT deserialize_forgets       SER-004
// FAULT deserialize_takes_all     SER-011
// FAULT fields_by_type_unchecked  CRE-011
// FAULT fields_advertise_data     CRE-003
// FAULT creator_makes_one         CRE-004
// FAULT enqueue_throws            ENQ-010
// FAULT enqueue_dies              ENQ-010
// FAULT enqueue_exits             ENQ-010
// FAULT enqueue_fails             ENQ-010
// FAULT enqueue_leaves_out        ENQ-010
// FAULT enqueue_writes_too_far    ENQ-006
// FAULT enqueue_writes_its_input  ENQ-004
// FAULT enqueue_keeps_an_address  CFG-004
// FAULT enqueue_uses_first_shape  ENQ-010
// FAULT enqueue_counts_calls      ENQ-010
// FAULT clone_loses_a_block       NAT-001  Allocates a block in ``clone``, and never frees it.
// FAULT destroy_deletes_nothing   NAT-001  Calls the destructor in ``destroy``, and does not free the object.
// FAULT restored_data_are_lost    NAT-001  Copies the data in ``deserializePlugin``, and never frees the copy.
// FAULT terminate_frees_nothing   NAT-002  Does not free in ``terminate`` the table that ``initialize`` allocated.
// FAULT enqueue_loses_a_block     NAT-002  Allocates a block in each ``enqueue``, and never frees it.
// FAULT destroy_deletes_twice     NAT-003  Deletes one array twice in ``destroy``.
// FAULT name_is_freed_as_an_array NAT-003  Allocates an array with ``new[]``, and frees it with ``delete``.
// FAULT clone_writes_too_far      NAT-003  Writes in ``clone`` behind the end of an array.
// FAULT destroy_writes_to_freed   NAT-003  Writes in ``destroy`` to memory that it has freed.
// FAULT enqueue_writes_behind     NAT-004  Writes in ``enqueue`` behind the end of an array.
// FAULT terminate_uses_free       NAT-004  Allocates a table with ``new[]``, and frees it with ``free``.
// FAULT stores_an_unset_member    NAT-005  Stores a member that has no value yet.
// FAULT stores_a_gap              NAT-005  Stores a structure with a gap between its members.
// FAULT exports_of_tensorrt       NAT-006  Exports a function with the name of a function of TensorRT.
// FAULT exports_of_cuda           NAT-006  Exports a function with the name of a function of CUDA.
// FAULT exports_operator_new      NAT-006  Exports ``operator new``, which then replaces that of all libraries.
// FAULT name_of_another_file      NAT-007  Reads a global variable of another file before that file has initialised it.
// FAULT fields_of_another_file    NAT-007  Reads a global variable of another file before that file has initialised it.
// FAULT calls_another_file        NAT-007  Calls a function of another file before that file has initialised its variables.
// FAULT a_copy_of_enqueue_fails   NAT-008  Ignores the status of ``cudaMemcpyAsync`` in ``enqueue``.
// FAULT a_copy_of_init_fails      NAT-008  Ignores the status of ``cudaMemcpy`` in ``initialize``.
#include "scale/defaults.h"

#include <NvInfer.h>
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

using namespace nvinfer1;

#ifdef FAULT_exports_of_tensorrt
extern "C" bool initLibNvInferPlugins(void*, char const*) { return true; }
#elif defined(FAULT_exports_of_cuda)
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
#elif defined(FAULT_exports_operator_new)
void* operator new(std::size_t size) { return std::malloc(size); }
void operator delete(void* block) noexcept { std::free(block); }
#endif

namespace {

[[maybe_unused]] float theFactor{0.F};
[[maybe_unused]] int32_t theCalls{0};

// Returns what it is given. The compiler does not see that, and leaves out no allocation for it.
template <typename T>
[[maybe_unused, gnu::noinline]] T* kept(T* given) {
    asm volatile("" : "+r"(given));
    return given;
}

class FaultyScale : public IPluginV2DynamicExt {
public:
    explicit FaultyScale(float factor) : mFactor{factor} {}
    FaultyScale(FaultyScale const&) = default;
    ~FaultyScale() noexcept override {
#ifndef FAULT_terminate_frees_nothing
        delete[] mTable;
#endif
    }

    AsciiChar const* getPluginType() const noexcept override {
#ifdef FAULT_wrong_type_name
        return "Scale";
#endif
        return "FaultyScale";
    }

    AsciiChar const* getPluginVersion() const noexcept override {
#ifdef FAULT_wrong_version
        return "2";
#endif
        return "1";
    }

    AsciiChar const* getPluginNamespace() const noexcept override {
#ifdef FAULT_namespace_is_null
        return mNamespace.empty() ? nullptr : mNamespace.c_str();
#endif
        return mNamespace.c_str();
    }

    void setPluginNamespace(AsciiChar const* name) noexcept override {
#ifndef FAULT_namespace_is_ignored
        mNamespace = name;
#else
        (void) name;
#endif
    }

    int32_t getNbOutputs() const noexcept override {
#ifdef FAULT_no_outputs
        return 0;
#endif
        return 1;
    }

    int32_t initialize() noexcept override {
#ifdef FAULT_initialize_fails_late
        return 7;
#endif
#ifndef FAULT_terminate_frees_nothing
        delete[] mTable;
#endif
#ifdef FAULT_a_copy_of_init_fails
        mTable = new float[1]{0.F};
        cudaMemcpy(mTable, &mFactor, sizeof(mFactor), cudaMemcpyHostToHost);
#else
        mTable = new float[1]{mFactor};
#endif
        return 0;
    }

    void terminate() noexcept override {
#ifdef FAULT_terminate_uses_free
        std::free(mTable);
#elif !defined(FAULT_terminate_frees_nothing)
        delete[] mTable;
#endif
        mTable = nullptr;
    }

    size_t getSerializationSize() const noexcept override {
#ifdef FAULT_serialize_a_pointer
        return sizeof(float) + sizeof(this);
#elif defined(FAULT_stores_an_unset_member) || defined(FAULT_stores_a_gap)
        return sizeof(float) + sizeof(mStored);
#endif
        return sizeof(float);
    }

    void serialize(void* buffer) const noexcept override {
#ifdef FAULT_serialize_too_much
        std::memset(buffer, 0, 2 * sizeof(float));
#endif
#ifdef FAULT_serialize_a_pointer
        auto const* const self = this;
        std::memcpy(static_cast<char*>(buffer) + sizeof(float), &self, sizeof(self));
#endif
#ifdef FAULT_serialize_counts
        float const stored = mFactor + static_cast<float>(theCalls++);
#elif defined(FAULT_serialize_forgets)
        float const stored = 1.F;
#else
        float const stored = mFactor;
#endif
        std::memcpy(buffer, &stored, sizeof(stored));
#if defined(FAULT_stores_an_unset_member) || defined(FAULT_stores_a_gap)
        std::memcpy(static_cast<char*>(buffer) + sizeof(stored), &mStored, sizeof(mStored));
#endif
    }

    void destroy() noexcept override {
#ifdef FAULT_destroy_deletes_nothing
        this->~FaultyScale();
#elif defined(FAULT_destroy_deletes_twice)
        int32_t* const shape = kept(new int32_t[3]);
        delete[] shape;
        auto* const another = kept(new int32_t[3]);  // of the C library it gets the same address
        delete[] kept(shape);
        static_cast<void>(another);
        delete this;
#elif defined(FAULT_name_is_freed_as_an_array)
        delete mCopied;
        delete this;
#elif defined(FAULT_destroy_writes_to_freed)
        int32_t volatile* const count = &mCount;
        delete this;
        *count = 0;
#else
        delete this;
#endif
    }

    IPluginV2DynamicExt* clone() const noexcept override {
#if defined(FAULT_clone_returns_itself)
        return const_cast<FaultyScale*>(this);
#elif defined(FAULT_clone_is_null)
        return nullptr;
#elif defined(FAULT_clone_shares_the_table)
        return new FaultyScale(*this);
#else
#ifdef FAULT_clone_forgets_factor
        auto* copy = new FaultyScale(1.F);
#else
        auto* copy = new FaultyScale(mFactor);
#endif
#ifndef FAULT_clone_forgets_namespace
        copy->mNamespace = mNamespace;
#endif
#ifdef FAULT_clone_loses_a_block
        kept(new float[4]);
#elif defined(FAULT_clone_writes_too_far)
        int8_t* const shape = kept(new int8_t[3]);
        shape[3] = 0;
        delete[] kept(shape);
#endif
        copy->mShape = mShape;
        copy->mCount = mCount;
        copy->mKept = mKept;
#ifndef FAULT_clone_loses_the_table
        if (mTable != nullptr) {
            copy->initialize();
        }
#endif
        return copy;
#endif
    }

    DataType getOutputDataType(int32_t index, DataType const* inputs, int32_t) const noexcept override {
#ifdef FAULT_output_type_is_bool
        return DataType::kBOOL;
#elif defined(FAULT_output_type_of_index)
        return index == 0 ? inputs[0] : DataType::kINT32;
#elif defined(FAULT_output_type_alternates)
        return index == 0 && theCalls++ % 2 == 0 ? inputs[0] : DataType::kHALF;
#endif
        return index == 0 ? inputs[0] : DataType::kFLOAT;
    }

    DimsExprs getOutputDimensions(
        int32_t, DimsExprs const* inputs, int32_t, IExprBuilder& builder) noexcept override {
        DimsExprs dims{inputs[0]};
#ifdef FAULT_shape_is_garbage
        dims.d[0] = reinterpret_cast<IDimensionExpr const*>(&theFactor);
#elif defined(FAULT_shape_has_a_null)
        dims.d[0] = nullptr;
#elif defined(FAULT_shape_of_last_call)
        static IDimensionExpr const* const kept = builder.constant(1);
        dims.d[0] = builder.operation(DimensionOperation::kPROD, *dims.d[0], *kept);
#elif defined(FAULT_shape_of_a_dynamic_value)
        dims.d[0] = builder.constant(inputs[0].d[0]->getConstantValue());
#elif defined(FAULT_shape_is_too_large)
        dims.d[0] = builder.operation(DimensionOperation::kSUM, *dims.d[0], *builder.constant(1));
#elif defined(FAULT_shape_divides_by_zero)
        auto const* const less = builder.operation(DimensionOperation::kSUB, *dims.d[0], *builder.constant(1));
        auto const* const square = builder.operation(DimensionOperation::kPROD, *dims.d[0], *less);
        dims.d[0] = builder.operation(DimensionOperation::kFLOOR_DIV, *square, *less);
#elif defined(FAULT_shape_counts_calls)
        dims.d[0] = theCalls++ % 2 == 0 ? dims.d[0] : builder.constant(1);
#else
        (void) builder;
#endif
        return dims;
    }

    bool supportsFormatCombination(
        int32_t pos, PluginTensorDesc const* inOut, int32_t numInputs, int32_t numOutputs) noexcept override {
        auto const& desc = inOut[pos];
#ifdef FAULT_formats_peek_ahead
        if (inOut[numInputs + numOutputs - 1].type != inOut[0].type) {
            return false;
        }
#elif defined(FAULT_formats_refuse_all)
        return pos < 0;
#elif defined(FAULT_formats_alternate)
        if (theCalls++ % 3 == 2) {
            return false;
        }
#elif defined(FAULT_formats_take_bool)
        if (desc.type == DataType::kBOOL && desc.format == TensorFormat::kLINEAR) {
            return desc.type == inOut[0].type;
        }
#endif
        (void) numInputs, (void) numOutputs;
        return desc.format == TensorFormat::kLINEAR && desc.type == DataType::kFLOAT;
    }

    void configurePlugin(DynamicPluginTensorDesc const* in, int32_t, DynamicPluginTensorDesc const* out,
        int32_t) noexcept override {
#ifdef FAULT_configure_aborts
        if (in[0].desc.dims.d[0] == -1) {
            std::abort();
        }
#elif defined(FAULT_configure_writes)
        const_cast<DynamicPluginTensorDesc*>(out)->desc.dims.d[0] = 1;
#elif defined(FAULT_configure_writes_before)
        const_cast<DynamicPluginTensorDesc*>(out)[-1].desc.dims.d[0] = 1;
#elif defined(FAULT_configure_writes_behind)
        const_cast<DynamicPluginTensorDesc*>(out)[1].desc.dims.d[0] = 1;
#endif
        mKept = &in[0].desc;
        mShape = in[0].max;
        ++mCount;
        (void) out;
    }

    size_t getWorkspaceSize(
        PluginTensorDesc const*, int32_t, PluginTensorDesc const*, int32_t) const noexcept override {
        return 0;
    }

    int32_t enqueue(PluginTensorDesc const* descs, PluginTensorDesc const*, void const* const* in, void* const* out,
        void*, cudaStream_t stream) noexcept override {
        int64_t count = volume(descs[0].dims);
        auto const* x = static_cast<float const*>(in[0]);
        auto* y = static_cast<float*>(out[0]);
        if (mTable == nullptr) {
            return 1;
        }
        float factor{mTable[0]};
#ifdef FAULT_enqueue_throws
        throw std::runtime_error("no kernel for this shape");
#elif defined(FAULT_enqueue_dies)
        *reinterpret_cast<int volatile*>(16) = 1;
#elif defined(FAULT_enqueue_exits)
        std::exit(3);
#elif defined(FAULT_enqueue_fails)
        return count > 4 ? 1 : 0;
#elif defined(FAULT_enqueue_loses_a_block)
        kept(new float[4]);
#elif defined(FAULT_enqueue_writes_behind)
        float* const scratch = kept(new float[2]);
        scratch[2] = factor;
        delete[] kept(scratch);
#elif defined(FAULT_enqueue_leaves_out)
        --count;
#elif defined(FAULT_enqueue_writes_too_far)
        y[count] = 0.F;
#elif defined(FAULT_enqueue_writes_its_input)
        const_cast<float*>(x)[0] = 0.F;
#elif defined(FAULT_enqueue_keeps_an_address)
        mInput = mInput == nullptr ? x : mInput;
        x = mInput;
#elif defined(FAULT_enqueue_uses_first_shape)
        static int64_t const built = count;
        count = built < count ? built : count;
#elif defined(FAULT_configure_keeps_pointer)
        count = volume(mKept->dims);
#elif defined(FAULT_configure_accumulates)
        factor += static_cast<float>(mCount / 3);
#elif defined(FAULT_a_copy_of_enqueue_fails)
        cudaMemcpyAsync(y, x, count * sizeof(float), cudaMemcpyDeviceToDevice, stream);
        x = y;
#elif defined(FAULT_enqueue_counts_calls)
        theFactor = theFactor == 0.F ? factor : theFactor;
        factor = theFactor + static_cast<float>(theCalls++ > 3);
#endif
        for (int64_t place = 0; place < count; ++place) {
            y[place] = x[place] * factor;
        }
        return 0;
    }

private:
    static int64_t volume(Dims const& dims) {
        int64_t count{1};
        for (int32_t axis = 0; axis < dims.nbDims; ++axis) {
            count *= dims.d[axis];
        }
        return count;
    }

    float mFactor;
    float* mTable{nullptr};
    float const* mInput{nullptr};
    PluginTensorDesc const* mKept{nullptr};
    Dims mShape{};
    int32_t mCount{0};
#ifdef FAULT_name_is_freed_as_an_array
    char* mCopied{new char[8]};
#elif defined(FAULT_stores_an_unset_member)
    int32_t mStored;
#elif defined(FAULT_stores_a_gap)
    struct Stored {
        char kind;
        int32_t size;
    } mStored{stored()};

    static Stored stored() {
        Stored made;
        made.kind = 1;
        made.size = 2;
        return made;
    }
#endif
    std::string mNamespace;
};

class FaultyScaleCreator : public IPluginCreator {
public:
#ifdef FAULT_calls_another_file
    FaultyScaleCreator() { faulty::theDefaults.check(); }
#endif
#ifdef FAULT_name_of_another_file
    AsciiChar const* getPluginName() const noexcept override { return mName.c_str(); }
    std::string mName{faulty::theDefaults.name};
#else
    AsciiChar const* getPluginName() const noexcept override { return "FaultyScale"; }
#endif
    AsciiChar const* getPluginVersion() const noexcept override { return "1"; }
    AsciiChar const* getPluginNamespace() const noexcept override { return mNamespace.c_str(); }
    void setPluginNamespace(AsciiChar const* name) noexcept override { mNamespace = name; }
    PluginFieldCollection const* getFieldNames() noexcept override { return &mFields; }

    IPluginV2* createPlugin(AsciiChar const*, PluginFieldCollection const* fields) noexcept override {
        for (int32_t place = 0; place < fields->nbFields; ++place) {
            auto const& field = fields->fields[place];
            if (std::strcmp(field.name, "factor") != 0) {
                continue;
            }
#ifndef FAULT_fields_by_type_unchecked
            if (field.type != PluginFieldType::kFLOAT32 || field.length != 1 || field.data == nullptr) {
                return nullptr;
            }
#endif
            auto const* const data = static_cast<float const*>(field.data);
#ifdef FAULT_creator_makes_one
            static auto* const only = new FaultyScale(*data);
            return named(only);
#endif
            return named(new FaultyScale(*data));
        }
        return nullptr;
    }

    IPluginV2* deserializePlugin(AsciiChar const*, void const* data, size_t size) noexcept override {
#if defined(FAULT_serialize_a_pointer)
        size -= sizeof(this);
#elif defined(FAULT_stores_an_unset_member)
        size -= sizeof(int32_t);
#elif defined(FAULT_stores_a_gap)
        size -= 2 * sizeof(int32_t);
#elif defined(FAULT_restored_data_are_lost)
        std::memcpy(kept(new char[size]), data, size);
#elif defined(FAULT_deserialize_takes_all)
        size = size < sizeof(float) ? size : sizeof(float);
#endif
        float factor{0.F};
        if (size != sizeof(factor)) {
            return nullptr;
        }
        std::memcpy(&factor, data, sizeof(factor));
#ifdef FAULT_deserialize_forgets
        factor = 1.F;
#endif
        return named(new FaultyScale(factor));
    }

private:
    IPluginV2* named(FaultyScale* plugin) {
        plugin->setPluginNamespace(mNamespace.c_str());
        return plugin;
    }

    std::string mNamespace;
    float mDefault{1.F};
#ifdef FAULT_fields_advertise_data
    PluginField mField{"factor", &mDefault, PluginFieldType::kFLOAT32, 1};
#else
    PluginField mField{"factor", nullptr, PluginFieldType::kFLOAT32, 1};
#endif
#ifdef FAULT_fields_of_another_file
    PluginFieldCollection mFields{faulty::theDefaults.fields, &mField};
#else
    PluginFieldCollection mFields{1, &mField};
#endif
};

REGISTER_TENSORRT_PLUGIN(FaultyScaleCreator);

}  // namespace
