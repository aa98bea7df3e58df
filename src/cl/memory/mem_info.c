/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of memory objects. */
#include "cl/memory/image.h"

#include <stdlib.h>

/* Answers with the address by device of the context; for a part, that of its first
 * byte. */
static cl_int
put_addresses(cl_mem m, const struct info *info)
{
    cl_mem root = mem_root(m);
    cl_context c = m->context;
    CL_EXPECT(
        root->addressed, CL_INVALID_OPERATION,
        "the buffer was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
    cl_ulong *list = calloc(c->n_devices, sizeof *list);
    CL_REQUIRE(list, CL_OUT_OF_HOST_MEMORY);
    for (cl_uint i = 0; i < c->n_devices; i++)
        list[i] = root->address[i] ? root->address[i] + m->origin : 0;
    cl_int code = info_put(info, list, c->n_devices * sizeof *list);
    free(list);
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL
clGetMemObjectInfo(cl_mem m, cl_mem_info param_name, size_t param_value_size,
                   void *param_value, size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    CL_REQUIRE(mem_is(m), CL_INVALID_MEM_OBJECT);
    switch (param_name) {
    case CL_MEM_TYPE:
        return INFO(&info, cl_mem_object_type, m->type);
    case CL_MEM_FLAGS:
        return INFO(&info, cl_mem_flags, m->flags);
    case CL_MEM_SIZE:
        return INFO(&info, size_t, m->size);
    case CL_MEM_HOST_PTR:
        return INFO(&info, void *, m->host_ptr);
    case CL_MEM_MAP_COUNT:
        return INFO(&info, cl_uint, mem_count_maps(m));
    case CL_MEM_REFERENCE_COUNT:
        return INFO(&info, cl_uint, object_handles(m));
    case CL_MEM_CONTEXT:
        return INFO(&info, cl_context, m->context);
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        return INFO(&info, cl_mem, m->image ? m->image->buffer : m->parent);
    case CL_MEM_OFFSET: /* 0 for other objects */
        return INFO(&info, size_t, m->image ? 0 : m->origin);
    case CL_MEM_USES_SVM_POINTER:
        return INFO(&info, cl_bool, mem_root(m)->shared ? CL_TRUE : CL_FALSE);
    case MEM_DEVICE_ADDRESS:
        return put_addresses(m, &info);
    case CL_MEM_PROPERTIES:
        return info_put(&info, m->properties,
                        m->n_properties * sizeof *m->properties);
    }
    return info_unknown(param_name);
}
