/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/dispatch.h"
#include "cl/platform/device.h"
#include "cl/platform/version.h"
#include "cl/queue/semaphore_entries.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cl_platform_id platform;

static void
create_platform(void)
{
    platform = object_new(OBJECT_PLATFORM, sizeof *platform, NULL);
}

cl_platform_id
platform_get(void)
{
    pthread_once(&once, create_platform);
    return platform;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                 cl_uint *num_platforms)
{
    CL_EXPECT(num_entries || !platforms, CL_INVALID_VALUE,
              "num_entries is 0; with platforms it must be at least 1");
    CL_EXPECT(platforms || num_platforms, CL_INVALID_VALUE,
              "platforms and num_platforms are NULL; one must be given");
    CL_REQUIRE(platform_get(), CL_OUT_OF_HOST_MEMORY);
    if (platforms)
        platforms[0] = platform_get();
    if (num_platforms)
        *num_platforms = 1;
    return CL_SUCCESS;
}

/* Answers the loader's first call with the same list as clGetPlatformIDs. */
EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                       cl_uint *num_platforms)
{
    return clGetPlatformIDs(num_entries, platforms, num_platforms);
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL
clGetPlatformInfo(cl_platform_id of, cl_platform_info param_name,
                  size_t param_value_size, void *param_value,
                  size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    /* NULL: "the behavior is implementation-defined"; here it is this platform. */
    CL_REQUIRE(!of || object_is(of, OBJECT_PLATFORM), CL_INVALID_PLATFORM);
    switch (param_name) {
    case CL_PLATFORM_PROFILE:
        return info_string(&info, "FULL_PROFILE");
    case CL_PLATFORM_VERSION:
        return info_string(&info, VERSION_PLATFORM);
    case CL_PLATFORM_NUMERIC_VERSION:
        return INFO(&info, cl_version, VERSION_NUMBER);
    case CL_PLATFORM_NAME:
        return info_string(&info, "Ventus");
    case CL_PLATFORM_VENDOR:
        return info_string(&info, VERSION_VENDOR);
    /* The extensions of all presets: the loader asks in each program, and devices are
     * not opened for the answer. */
    case CL_PLATFORM_EXTENSIONS:
        return info_string(&info, version_extensions);
    case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
        return version_put_extensions(&info, false);
    case CL_PLATFORM_HOST_TIMER_RESOLUTION:
        return INFO(&info, cl_ulong, 1);
    case CL_PLATFORM_SEMAPHORE_TYPES_KHR:
        return INFO(&info, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_BINARY_KHR);
    case CL_PLATFORM_ICD_SUFFIX_KHR:
        return info_string(&info, "VENTUS");
    }
    return info_unknown(param_name);
}

CL_API_ENTRY cl_int CL_API_CALL
clUnloadPlatformCompiler(cl_platform_id of)
{
    CL_REQUIRE(object_is(of, OBJECT_PLATFORM), CL_INVALID_PLATFORM);
    /* Nothing to unload: the compiler is a process that ends with each build. */
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clUnloadCompiler(void)
{
    return CL_SUCCESS;
}

/* Finds the functions of extensions that extension.def lists. */
EXPORTED CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *function_name)
{
    dispatch_entry *entry = function_name ? dispatch_find(function_name) : NULL;
    return (void *)(uintptr_t)entry;
}

CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform(cl_platform_id of,
                                         const char *function_name)
{
    if (!object_is(of, OBJECT_PLATFORM))
        return NULL;
    return clGetExtensionFunctionAddress(function_name);
}
