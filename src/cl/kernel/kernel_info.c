/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cl/kernel/kernel.h"
#include "cl/log.h"
#include "obj/kernels.h"

/* Local memory per warp for the driver's scalar stack. */
enum { STACK_B = 1024 };

const struct ventus_dev_kernel *
kernel_on(cl_kernel k, cl_device_id device)
{
    struct program_device *d = program_find(k->program, device);
    return d ? k->on[d - k->program->devices] : NULL;
}

uint64_t
kernel_local_B(cl_kernel k)
{
    uint64_t size = k->info->local_B;
    pthread_mutex_lock(&k->lock);
    for (size_t i = 0; i < k->info->n_params; i++) {
        uint64_t more = k->args[i].local_B;
        size = more > UINT64_MAX - size ? UINT64_MAX : size + more;
    }
    pthread_mutex_unlock(&k->lock);
    return size;
}

static size_t
at_most(size_t warps, uint64_t have, uint64_t each)
{
    if (!have || !each || have / each >= warps)
        return warps;
    return (size_t)(have / each);
}

size_t
kernel_max_group(cl_kernel k, cl_device_id device)
{
    const struct ventus_dev_kernel *on = kernel_on(k, device);
    size_t warps = (device->max_group + device->lanes - 1) / device->lanes;
    uint64_t local = ventus_dev_setting(device->dev, "local_size");
    uint64_t used = kernel_local_B(k);
    if (on) {
        warps = at_most(warps, ventus_dev_setting(device->dev, "num_sgpr"),
                        on->sgprs);
        warps = at_most(warps, ventus_dev_setting(device->dev, "num_vgpr"),
                        on->vgprs);
    }
    warps = used < local ? at_most(warps, local - used, STACK_B) : 0;
    size_t items = warps * device->lanes;
    return items < device->max_group ? items : device->max_group;
}

/* ---- clGetKernelInfo ---- */

static void
add_sizes(char *text, size_t capacity, const char *name, const uint32_t wg[3])
{
    size_t n = strlen(text);
    if (wg[0])
        snprintf(text + n, capacity - n, "%s%s(%u,%u,%u)", n ? " " : "", name,
                 wg[0], wg[1], wg[2]);
}

static cl_int
put_attributes(cl_kernel k, const struct info *info)
{
    char text[160] = "";
    if (k->info->hint_type[0])
        snprintf(text, sizeof text, "vec_type_hint(%s)", k->info->hint_type);
    add_sizes(text, sizeof text, "work_group_size_hint", k->info->hint_wg);
    add_sizes(text, sizeof text, "reqd_work_group_size", k->info->required_wg);
    size_t n = strlen(text);
    if (k->info->required_sub_group)
        snprintf(text + n, sizeof text - n, "%sintel_reqd_sub_group_size(%u)",
                 n ? " " : "", k->info->required_sub_group);
    return info_string(info, text);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetKernelInfo(cl_kernel k, cl_kernel_info param_name, size_t param_value_size,
                void *param_value, size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    switch (param_name) {
    case CL_KERNEL_FUNCTION_NAME:
        return info_string(&info, k->info->name);
    case CL_KERNEL_NUM_ARGS:
        return INFO(&info, cl_uint, (cl_uint)k->info->n_params);
    case CL_KERNEL_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(k));
    case CL_KERNEL_CONTEXT:
        return INFO(&info, cl_context, k->program->context);
    case CL_KERNEL_PROGRAM:
        return INFO(&info, cl_program, k->program);
    case CL_KERNEL_ATTRIBUTES:
        return put_attributes(k, &info);
    }
    return info_unknown(param_name);
}

/* ---- clGetKernelArgInfo ---- */

static cl_kernel_arg_address_qualifier
address_space(enum ventus_dev_param_kind kind)
{
    switch (kind) {
    case VENTUS_DEV_PARAM_GLOBAL:
    case VENTUS_DEV_PARAM_IMAGE:
        return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case VENTUS_DEV_PARAM_CONSTANT:
        return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case VENTUS_DEV_PARAM_LOCAL:
        return CL_KERNEL_ARG_ADDRESS_LOCAL;
    case VENTUS_DEV_PARAM_VALUE:
    case VENTUS_DEV_PARAM_SAMPLER:
        break;
    }
    return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static cl_kernel_arg_access_qualifier
access_of(unsigned access)
{
    switch ((enum kernel_arg_access)access) {
    case KERNEL_ACCESS_READ_ONLY:
        return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    case KERNEL_ACCESS_WRITE_ONLY:
        return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    case KERNEL_ACCESS_READ_WRITE:
        return CL_KERNEL_ARG_ACCESS_READ_WRITE;
    case KERNEL_ACCESS_NONE:
    case KERNEL_ACCESSES:
        break;
    }
    return CL_KERNEL_ARG_ACCESS_NONE;
}

static cl_kernel_arg_type_qualifier
type_qualifiers(unsigned recorded)
{
    return (recorded & KERNEL_ARG_CONST ? CL_KERNEL_ARG_TYPE_CONST : 0) |
           (recorded & KERNEL_ARG_RESTRICT ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
           (recorded & KERNEL_ARG_VOLATILE ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) |
           (recorded & KERNEL_ARG_PIPE ? CL_KERNEL_ARG_TYPE_PIPE : 0);
}

/* Whether argument information is available.  A program is not built again while its
 * kernels exist, so the answer does not change. */
static bool
has_arg_info(cl_kernel k)
{
    for (cl_uint i = 0; i < k->program->n_devices; i++)
        if (k->on[i] == k->info)
            return k->program->devices[i].arg_info;
    return false;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetKernelArgInfo(cl_kernel k, cl_uint arg_index,
                   cl_kernel_arg_info param_name, size_t param_value_size,
                   void *param_value, size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_EXPECT(arg_index < k->info->n_params, CL_INVALID_ARG_INDEX,
              "arg_index is %u; kernel '%s' has %zu arguments, from 0",
              arg_index, k->info->name, k->info->n_params);
    const struct ventus_dev_param *p = &k->info->params[arg_index];
    CL_EXPECT(param_name >= CL_KERNEL_ARG_ADDRESS_QUALIFIER &&
                  param_name <= CL_KERNEL_ARG_NAME,
              CL_INVALID_VALUE,
              "param_name is 0x%x; it must be one of CL_KERNEL_ARG_*",
              param_name);
    if (!p->name[0] || !has_arg_info(k)) { /* as pocl does */
        log_warning("built without -cl-kernel-arg-info");
        return cl_refuse(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
                         "the program was built without -cl-kernel-arg-info");
    }
    switch (param_name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return INFO(&info, cl_kernel_arg_address_qualifier,
                    address_space(p->kind));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return INFO(&info, cl_kernel_arg_access_qualifier,
                    access_of(p->access));
    case CL_KERNEL_ARG_TYPE_NAME:
        return info_string(&info, p->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return INFO(&info, cl_kernel_arg_type_qualifier,
                    type_qualifiers(p->qualifiers));
    case CL_KERNEL_ARG_NAME:
        return info_string(&info, p->name);
    }
    return CL_INVALID_VALUE;
}

/* ---- clGetKernelWorkGroupInfo ---- */

static cl_int
put_work_group(cl_kernel k, cl_device_id device, cl_kernel_work_group_info name,
               const struct info *info)
{
    const struct ventus_dev_kernel *on = kernel_on(k, device);
    const size_t required[3] = { on->required_wg[0], on->required_wg[1],
                                 on->required_wg[2] };
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return INFO(info, size_t, kernel_max_group(k, device));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return info_put(info, required, sizeof required);
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return INFO(info, cl_ulong, kernel_local_B(k));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return INFO(info, size_t, device->lanes);
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return INFO(info, cl_ulong, on->private_B);
    /* An upper bound: each of these instructions has a word of its own at most. */
    case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
        return INFO(info, cl_ulong, sizeof(uint32_t) * (cl_ulong)on->spills);
    /* For custom devices and built-in kernels. */
    case CL_KERNEL_GLOBAL_WORK_SIZE:
        return cl_refuse(CL_INVALID_VALUE, "the kernel is not a built-in one");
    }
    return info_unknown(name);
}

/* Checks the device; NULL means the only one. */
static cl_int
check_device(cl_kernel k, cl_device_id *device)
{
    CL_EXPECT(*device ? device_is(*device) : k->program->n_devices == 1,
              CL_INVALID_DEVICE,
              *device ? "device is not one of clGetDeviceIDs"
                      : "device is NULL; it must be given, the program is for "
                        "several devices");
    if (!*device)
        *device = k->program->device_list[0];
    CL_EXPECT(kernel_on(k, *device), CL_INVALID_DEVICE,
              "the program is not built for this device");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetKernelWorkGroupInfo(cl_kernel k, cl_device_id device,
                         cl_kernel_work_group_info param_name,
                         size_t param_value_size, void *param_value,
                         size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_CHECK(check_device(k, &device));
    return put_work_group(k, device, param_name, &info);
}

/* ---- clGetKernelSubGroupInfo: a sub-group is a warp, or the part of one that the kernel
 * requires ---- */

static size_t
sub_group_size(cl_kernel k, cl_device_id device)
{
    uint32_t required = kernel_on(k, device)->required_sub_group;
    return required ? required : device->lanes;
}

static cl_int
put_count(size_t lanes, cl_kernel_sub_group_info name, size_t input_B,
          const size_t *local, const struct info *info)
{
    size_t items = 1, n = input_B / sizeof *local;
    CL_EXPECT(
        local && input_B % sizeof *local == 0 && n >= 1 && n <= 3,
        CL_INVALID_VALUE,
        "input_value has %zu bytes; it must be 1 to 3 numbers of %zu bytes",
        local ? input_B : 0, sizeof *local);
    for (size_t i = 0; i < n; i++)
        items *= local[i];
    if (name == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE)
        return INFO(info, size_t, lanes);
    return INFO(info, size_t, (items + lanes - 1) / lanes);
}

static cl_int
put_sub_group(cl_kernel k, cl_device_id device, cl_kernel_sub_group_info name,
              size_t input_B, const void *input, const struct info *info)
{
    size_t lanes = sub_group_size(k, device);
    size_t most = kernel_max_group(k, device) / lanes;
    size_t size[3] = { 0, 0, 0 };
    switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return put_count(lanes, name, input_B, input, info);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        CL_EXPECT(input && input_B == sizeof(size_t), CL_INVALID_VALUE,
                  "input_value has %zu bytes; it must be a number of %zu bytes",
                  input ? input_B : 0, sizeof(size_t));
        size_t count = *(const size_t *)input;
        if (count >= 1 && count <= most) {
            size[0] = count * lanes;
            size[1] = size[2] = 1;
        }
        bool whole = info->size % sizeof(size_t) == 0;
        return info_put(info, size,
                        info->value && whole && info->size < sizeof size
                            ? info->size
                            : sizeof size);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return INFO(info, size_t, most);
    /* 0: the language cannot request it. */
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return INFO(info, size_t, 0);
    case CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL:
        return INFO(info, size_t, kernel_on(k, device)->required_sub_group);
    }
    return info_unknown(name);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetKernelSubGroupInfo(cl_kernel k, cl_device_id device,
                        cl_kernel_sub_group_info param_name,
                        size_t input_value_size, const void *input_value,
                        size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(kernel_is(k), CL_INVALID_KERNEL);
    CL_CHECK(check_device(k, &device));
    return put_sub_group(k, device, param_name, input_value_size, input_value,
                         &info);
}

CL_API_ENTRY cl_int CL_API_CALL
clGetKernelSubGroupInfoKHR(cl_kernel k, cl_device_id device,
                           cl_kernel_sub_group_info param_name,
                           size_t input_value_size, const void *input_value,
                           size_t param_value_size, void *param_value,
                           size_t *param_value_size_ret)
{
    return clGetKernelSubGroupInfo(k, device, param_name, input_value_size,
                                   input_value, param_value_size, param_value,
                                   param_value_size_ret);
}
