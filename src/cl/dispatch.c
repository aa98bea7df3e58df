/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/dispatch.h"

#include <pthread.h>
#include <string.h>

#include "cl/log.h"
#include "cl/object.h"

const cl_icd_dispatch *
dispatch_table(void)
{
    return log_wanted() ? &dispatch_logged : &dispatch_direct;
}

cl_int
dispatch_absent_code(void)
{
    return cl_refuse(CL_INVALID_OPERATION, "this is another system");
}

void *
dispatch_absent_handle(void)
{
    cl_refuse(CL_INVALID_OPERATION, "this is another system");
    return NULL;
}

/* The extensions that have entries: cl_khr_icd. */
EXPORTED CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *function_name)
{
    if (function_name && strcmp(function_name, "clIcdGetPlatformIDsKHR") == 0)
        return (void *)(uintptr_t)clIcdGetPlatformIDsKHR;
    return NULL;
}

CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                         const char *function_name)
{
    if (!object_is(platform, OBJECT_PLATFORM))
        return NULL;
    return clGetExtensionFunctionAddress(function_name);
}
