/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/version.h"

#include "abi/opencl.h"

#define NAME(name, major, minor, patch) " " #name
const char version_extensions[] = "cl_khr_icd" OPENCL_C_EXTENSIONS(NAME);
const char version_extensions_shared[] =
    "cl_khr_icd" OPENCL_C_EXTENSIONS(NAME) " cl_intel_unified_shared_memory";

#define NAME_VERSION(name, major, minor, patch) \
    { CL_MAKE_VERSION(major, minor, patch), #name },
#define TEXT_VERSION(text, major, minor, patch) \
    { CL_MAKE_VERSION(major, minor, patch), text },

cl_int
version_put_extensions(const struct info *info, bool shared)
{
    static const cl_name_version list[] = {
        { CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd" },
        OPENCL_C_EXTENSIONS(NAME_VERSION){ CL_MAKE_VERSION(1, 0, 0),
                                           "cl_intel_unified_shared_"
                                           "memory" }
    };
    return info_put(info, list, sizeof list - (shared ? 0 : sizeof *list));
}

cl_int
version_put_c_versions(const struct info *info)
{
    static const cl_name_version list[] = { OPENCL_C_VERSIONS(TEXT_VERSION) };
    return info_put(info, list, sizeof list);
}

cl_int
version_put_c_features(const struct info *info)
{
    static const cl_name_version list[] = { OPENCL_C_FEATURES(
        NAME_VERSION) OPENCL_C_MACRO_FEATURES(NAME_VERSION) };
    return info_put(info, list, sizeof list);
}
