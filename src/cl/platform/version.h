/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/version.h>

#include "abi/opencl.h"
#include "cl/api.h"

/* The descriptions of platform and devices. */
#define VERSION_VENDOR "Ventus in C"
#define VERSION_NUMBER \
    CL_MAKE_VERSION(OPENCL_VERSION_MAJOR, OPENCL_VERSION_MINOR, 0)
#define VERSION_TEXT(number)         #number
#define VERSION_DOTTED(major, minor) VERSION_TEXT(major) "." VERSION_TEXT(minor)
#define VERSION_PLATFORM                           \
    "OpenCL " VERSION_DOTTED(OPENCL_VERSION_MAJOR, \
                             OPENCL_VERSION_MINOR) " Ventus " VENTUS_VERSION
#define VERSION_DEVICE     VERSION_PLATFORM
#define VERSION_OPENCL_C   "OpenCL C 1.2 Ventus " VENTUS_VERSION
#define VERSION_CONFORMANT "v0000-01-01-00" /* no conformance test passed yet */

/* The names of the extensions that all devices have, separated by spaces; and of those
 * that devices with shared memory have. */
extern const char *const version_extensions, *const version_extensions_shared;

cl_int
version_put_extensions(const struct info *info, bool shared);

cl_int
version_put_c_versions(const struct info *info);

cl_int
version_put_c_features(const struct info *info, bool shared);

/* CL_DEVICE_IL_VERSION, and of cl_khr_spirv_queries (0x12B9 to 0x12BB); empty if the
 * compiler does not read SPIR-V. */
enum {
    VERSION_SPIRV_EXTENDED_INSTRUCTION_SETS = 0x12b9,
    VERSION_SPIRV_EXTENSIONS = 0x12ba,
    VERSION_SPIRV_CAPABILITIES = 0x12bb
};

cl_int
version_put_il(const struct info *info, bool reads);

cl_int
version_put_ils(const struct info *info, bool reads);

cl_int
version_put_spirv(const struct info *info, cl_device_info what, bool reads);
