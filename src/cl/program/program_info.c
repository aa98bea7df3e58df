/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <ventus/dev.h>

#include "cl/program/binary.h"
#include "cl/program/program.h"

/* ---- clGetProgramInfo ---- */

static cl_int
put_binary_sizes(cl_program p, const struct info *info)
{
    size_t *sizes = calloc(p->n_devices, sizeof *sizes);
    CL_REQUIRE(sizes, CL_OUT_OF_HOST_MEMORY);
    for (cl_uint i = 0; i < p->n_devices; i++)
        sizes[i] = p->devices[i].binary.n;
    cl_int code = info_put(info, sizes, p->n_devices * sizeof *sizes);
    free(sizes);
    return code;
}

/* Copies binaries; the value is an array of pointers to the application's buffers. */
static cl_int
put_binaries(cl_program p, const struct info *info)
{
    size_t size = p->n_devices * sizeof(unsigned char *);
    unsigned char **at = info->value;
    CL_EXPECT(!at || info->size >= size, CL_INVALID_VALUE,
              "param_value_size is %zu; it must be at least %zu", info->size,
              size);
    for (cl_uint i = 0; at && i < p->n_devices; i++) {
        const struct buf *b = &p->devices[i].binary;
        if (at[i] && b->n)
            memcpy(at[i], b->at, b->n);
    }
    if (info->size_ret)
        *info->size_ret = size;
    return CL_SUCCESS;
}

/* Lists the kernels of the first device with an executable. */
static const struct ventus_dev_kernel *
built_kernels(cl_program p, size_t *n)
{
    program_load_binaries(p);
    for (cl_uint i = 0; i < p->n_devices; i++)
        if (p->devices[i].executable)
            return ventus_dev_kernels(p->devices[i].executable->loaded, n);
    return NULL;
}

static cl_int
put_kernel_names(cl_program p, const struct info *info)
{
    struct buf names = { 0 };
    size_t n;
    const struct ventus_dev_kernel *k = built_kernels(p, &n);
    CL_EXPECT(k, CL_INVALID_PROGRAM_EXECUTABLE,
              "the program is not built for any device; clBuildProgram or "
              "clLinkProgram does that");
    size_t size = 1;
    for (size_t i = 0; i < n; i++)
        size += strlen(k[i].name) + 1;
    CL_REQUIRE(buf_reserve(&names, size), CL_OUT_OF_HOST_MEMORY);
    for (size_t i = 0; i < n; i++)
        buf_printf(&names, "%s%s", i ? ";" : "", k[i].name);
    buf_u8(&names, 0);
    cl_int code = info_put(info, names.at, names.n);
    buf_free(&names);
    return code;
}

static cl_int
put_kernel_count(cl_program p, const struct info *info)
{
    size_t n;
    CL_EXPECT(built_kernels(p, &n), CL_INVALID_PROGRAM_EXECUTABLE,
              "the program is not built for any device; clBuildProgram or "
              "clLinkProgram does that");
    return INFO(info, size_t, n);
}

static cl_int
put_program(cl_program p, cl_program_info name, const struct info *info)
{
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return INFO(info, cl_uint, object_handles(p));
    case CL_PROGRAM_CONTEXT:
        return INFO(info, cl_context, p->context);
    case CL_PROGRAM_NUM_DEVICES:
        return INFO(info, cl_uint, p->n_devices);
    case CL_PROGRAM_DEVICES:
        return info_put(info, p->device_list,
                        p->n_devices * sizeof *p->device_list);
    case CL_PROGRAM_SOURCE:
        return info_string(info, p->has_source ? (char *)p->source.at : "");
    case CL_PROGRAM_IL:
        return info_put(info, p->il.at, p->il.n);
    case CL_PROGRAM_BINARY_SIZES:
        return put_binary_sizes(p, info);
    case CL_PROGRAM_BINARIES:
        return put_binaries(p, info);
    case CL_PROGRAM_NUM_KERNELS:
        return put_kernel_count(p, info);
    case CL_PROGRAM_KERNEL_NAMES:
        return put_kernel_names(p, info);
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return INFO(info, cl_bool, CL_FALSE);
    }
    return info_unknown(name);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetProgramInfo(cl_program p, cl_program_info param_name,
                 size_t param_value_size, void *param_value,
                 size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    pthread_mutex_lock(&p->lock);
    cl_int code = put_program(p, param_name, &info);
    pthread_mutex_unlock(&p->lock);
    return code;
}

/* ---- clGetProgramBuildInfo ---- */

static cl_int
put_build(const struct program_device *d, cl_program_build_info name,
          const struct info *info)
{
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return INFO(info, cl_build_status, d->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return info_string(info, d->options ? d->options : "");
    case CL_PROGRAM_BUILD_LOG:
        return info_string(info, d->log.n ? (char *)d->log.at : "");
    case CL_PROGRAM_BINARY_TYPE:
        return INFO(info, cl_program_binary_type, d->type);
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return INFO(info, size_t,
                    binary_variables_B(d->binary.at, d->binary.n));
    }
    return info_unknown(name);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetProgramBuildInfo(cl_program p, cl_device_id device,
                      cl_program_build_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(program_is(p), CL_INVALID_PROGRAM);
    CL_EXPECT(device_is(device) && program_find(p, device), CL_INVALID_DEVICE,
              "device is not one of the program");
    pthread_mutex_lock(&p->lock);
    cl_int code = put_build(program_find(p, device), param_name, &info);
    pthread_mutex_unlock(&p->lock);
    return code;
}
