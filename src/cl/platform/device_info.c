/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <string.h>

#include "abi/opencl.h"
#include "cl/memory/usm.h"
#include "cl/platform/device.h"
#include "cl/platform/version.h"
#include "cl/program/compiler.h"
#include "cl/queue/command_buffer_entries.h"
#include "cl/queue/semaphore_entries.h"

/* cl_ext_float_atomics, which the headers of 2022 lack. */
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#endif

/* All operations, in global (bits 0 to 2) and in local memory (bits 16 to 18): load, store
 * and exchange; addition; minimum and maximum. */
#define FLOAT_ATOMICS 0x70007

/* The width of double vectors: one if cl_khr_fp64 is among the extensions. */
static cl_uint
has_fp64(void)
{
    return strstr(version_extensions, "cl_khr_fp64") != NULL;
}

static cl_uint
has_fp16(void)
{
    return strstr(version_extensions, "cl_khr_fp16") != NULL;
}

/* The text of a key of the configuration, or what is true. */
static cl_int
put_name(cl_device_id d, const char *key, const char *truth,
         const struct info *info)
{
    const char *text = ventus_dev_text(d->dev, key);
    return info_string(info, *text ? text : truth);
}

/* Shows that names are not the device's own, in a text that no key sets. */
static cl_int
put_version(cl_device_id d, const struct info *info)
{
    size_t n;
    const struct ventus_dev_text_key *key = ventus_dev_text_keys(&n);
    for (size_t i = 0; i < n; i++)
        if (*ventus_dev_text(d->dev, key[i].name))
            return info_string(info,
                               VERSION_DEVICE " (names by configuration)");
    return info_string(info, VERSION_DEVICE);
}

/* The driver is the same for all devices, until its version changes. */
static cl_int
put_driver_uuid(const struct info *info)
{
    cl_uchar uuid[CL_UUID_SIZE_KHR];
    device_make_uuid(VERSION_VENDOR " " VENTUS_VERSION, 0, uuid);
    return info_put(info, uuid, sizeof uuid);
}

/* The sizes that a kernel may require of its sub-groups: equal parts of a warp, of eight
 * lanes at least, and the warp. */
static cl_int
put_sub_group_sizes(cl_device_id d, const struct info *info)
{
    enum { LEAST = 8, SIZES = 8 };
    size_t sizes[SIZES], n = 0;
    for (size_t size = LEAST; size < d->lanes; size *= 2)
        sizes[n++] = size;
    sizes[n++] = d->lanes;
    assert(n <= SIZES && "a warp has 64 lanes at most");
    return info_put(info, sizes, n * sizeof *sizes);
}

static cl_int
put_text(cl_device_id d, cl_device_info name, const struct info *info)
{
    const size_t sizes[3] = { d->max_group, d->max_group, d->max_group };
    static const cl_uchar no_luid[CL_LUID_SIZE_KHR];
    switch (name) {
    case CL_DEVICE_UUID_KHR:
        return info_put(info, d->uuid, sizeof d->uuid);
    case CL_DRIVER_UUID_KHR:
        return put_driver_uuid(info);
    case CL_DEVICE_LUID_KHR:
        return info_put(info, no_luid, sizeof no_luid);
    case CL_DEVICE_NAME:
        return put_name(d, "device_name", d->name, info);
    case CL_DEVICE_VENDOR:
        return put_name(d, "vendor", VERSION_VENDOR, info);
    case CL_DRIVER_VERSION:
        return put_name(d, "driver_version", VENTUS_VERSION, info);
    case CL_DEVICE_PROFILE:
        return info_string(info, "FULL_PROFILE");
    case CL_DEVICE_VERSION:
        return put_version(d, info);
    case CL_DEVICE_OPENCL_C_VERSION:
        return info_string(info, VERSION_OPENCL_C);
    case CL_DEVICE_EXTENSIONS:
        return info_string(info, d->svm ? version_extensions_shared
                                        : version_extensions);
    case CL_DEVICE_BUILT_IN_KERNELS:
        return info_string(info, "");
    case CL_DEVICE_IL_VERSION:
        return version_put_il(info, compiler_reads_spirv());
    case CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED:
        return info_string(info, VERSION_CONFORMANT);
    case CL_DEVICE_EXTENSIONS_WITH_VERSION:
        return version_put_extensions(info, d->svm != 0);
    case CL_DEVICE_OPENCL_C_ALL_VERSIONS:
        return version_put_c_versions(info);
    case CL_DEVICE_OPENCL_C_FEATURES:
        return version_put_c_features(info, d->svm != 0);
    case CL_DEVICE_ILS_WITH_VERSION:
        return version_put_ils(info, compiler_reads_spirv());
    case VERSION_SPIRV_EXTENDED_INSTRUCTION_SETS:
    case VERSION_SPIRV_EXTENSIONS:
    case VERSION_SPIRV_CAPABILITIES:
        return version_put_spirv(info, name, compiler_reads_spirv());
    case CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:
        return info_put(info, "", 0);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        return info_put(info, sizes, sizeof sizes);
    case CL_DEVICE_SUB_GROUP_SIZES_INTEL:
        return put_sub_group_sizes(d, info);
    }
    return info_unknown(name);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetDeviceInfo(cl_device_id d, cl_device_info param_name,
                size_t param_value_size, void *param_value,
                size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(device_is(d), CL_INVALID_DEVICE);
    switch (param_name) {
#define ROW(name, type, ...) \
    case name:               \
        return INFO(&info, type, __VA_ARGS__);
#include "cl/platform/device_table.h"
#undef ROW
    }
    return put_text(d, param_name, &info);
}
