/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/version.h"

#include "abi/opencl.h"

#define NAME(name, major, minor, patch) " " #name
#define ALL                             "cl_khr_icd cl_ext_buffer_device_address" OPENCL_C_EXTENSIONS(NAME)
const char version_extensions[] = ALL;
const char version_extensions_shared[] = ALL " cl_intel_unified_shared_memory";

#define NAME_VERSION(name, major, minor, patch) \
    { CL_MAKE_VERSION(major, minor, patch), #name },
#define TEXT_VERSION(text, major, minor, patch) \
    { CL_MAKE_VERSION(major, minor, patch), text },

cl_int
version_put_extensions(const struct info *info, bool shared)
{
    /* clang-format off */
    static const cl_name_version list[] = {
        { CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd" },
        { CL_MAKE_VERSION(1, 0, 2), "cl_ext_buffer_device_address" },
        OPENCL_C_EXTENSIONS(NAME_VERSION)
        { CL_MAKE_VERSION(1, 0, 0), "cl_intel_unified_shared_memory" }
    };
    /* clang-format on */
    return info_put(info, list, sizeof list - (shared ? 0 : sizeof *list));
}

cl_int
version_put_c_versions(const struct info *info)
{
    static const cl_name_version list[] = { OPENCL_C_VERSIONS(TEXT_VERSION) };
    return info_put(info, list, sizeof list);
}

cl_int
version_put_c_features(const struct info *info, bool shared)
{
    /* clang-format off */
    static const cl_name_version list[] = {
        OPENCL_C_FEATURES(NAME_VERSION)
        OPENCL_C_MACRO_FEATURES(NAME_VERSION)
        OPENCL_C_SHARED_FEATURES(NAME_VERSION)
    };
    static const cl_name_version last[] = {
        OPENCL_C_SHARED_FEATURES(NAME_VERSION)
    };
    /* clang-format on */
    return info_put(info, list, sizeof list - (shared ? 0 : sizeof last));
}
