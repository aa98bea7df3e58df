/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/memory/usm.h"

#include <assert.h>
#include <string.h>

#include "cl/kernel/kernel.h"
#include "cl/memory/svm.h"
#include "cl/memory/svm_commands.h"
#include "cl/queue/event.h"

cl_device_unified_shared_memory_capabilities_intel
usm_capabilities(cl_device_id d, bool own)
{
    cl_device_unified_shared_memory_capabilities_intel at_once =
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
        CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;
    if (!d->svm)
        return 0;
    return CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
           CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
           (!own && d->svm & CL_DEVICE_SVM_ATOMICS ? at_once : 0);
}

cl_device_unified_shared_memory_capabilities_intel
usm_system_capabilities(cl_device_id d)
{
    return d->svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM ? usm_capabilities(d, false)
                                                    : 0;
}

/* ---- allocate ---- */

static cl_int
read_properties(const cl_mem_properties_intel *p,
                cl_mem_alloc_flags_intel *flags)
{
    const cl_mem_alloc_flags_intel placed =
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
        CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    bool seen = false;
    *flags = 0;
    for (; p && p[0]; p += 2) {
        CL_EXPECT(p[0] == CL_MEM_ALLOC_FLAGS_INTEL, CL_INVALID_PROPERTY,
                  "the property 0x%" PRIx64
                  " is unknown; expected CL_MEM_ALLOC_FLAGS_INTEL",
                  (uint64_t)p[0]);
        CL_EXPECT(!seen, CL_INVALID_PROPERTY,
                  "CL_MEM_ALLOC_FLAGS_INTEL is given twice");
        seen = true;
        *flags = (cl_mem_alloc_flags_intel)p[1];
    }
    CL_EXPECT(!(*flags & ~(placed | CL_MEM_ALLOC_WRITE_COMBINED_INTEL)),
              CL_INVALID_PROPERTY,
              "the flags of the allocation are 0x%" PRIx64 "; some are unknown",
              (uint64_t)*flags);
    CL_EXPECT((*flags & placed) != placed, CL_INVALID_PROPERTY,
              "initial placement on device and host exclude each other");
    return CL_SUCCESS;
}

static cl_int
allocate_usm(cl_context c, struct svm_allocation wanted,
             const cl_mem_properties_intel *properties, cl_uint alignment,
             void **at)
{
    CL_REQUIRE(context_is(c), CL_INVALID_CONTEXT);
    if (wanted.type == CL_MEM_TYPE_DEVICE_INTEL || wanted.device)
        CL_EXPECT(device_is(wanted.device) &&
                      context_has_device(c, wanted.device),
                  CL_INVALID_DEVICE, "device is not one of the context");
    CL_EXPECT(svm_is_supported(c), CL_INVALID_OPERATION,
              "no device of the context has shared virtual memory");
    CL_EXPECT(!wanted.device || wanted.device->svm, CL_INVALID_OPERATION,
              "the device has no shared memory: its pointers have 32 bits");
    CL_CHECK(read_properties(properties, &wanted.flags));
    cl_int code;
    *at = svm_alloc(c, &wanted, alignment, &code);
    CL_EXPECT(*at, code,
              "size or alignment is out of range, or no memory is left");
    return CL_SUCCESS;
}

CL_API_ENTRY void *CL_API_CALL
usm_host_alloc(cl_context context, const cl_mem_properties_intel *properties,
               size_t size, cl_uint alignment, cl_int *errcode_ret)
{
    void *at = NULL;
    const struct svm_allocation wanted = { .size = size,
                                           .type = CL_MEM_TYPE_HOST_INTEL };
    CL_RETURN(allocate_usm(context, wanted, properties, alignment, &at), at);
}

CL_API_ENTRY void *CL_API_CALL
usm_device_alloc(cl_context context, cl_device_id device,
                 const cl_mem_properties_intel *properties, size_t size,
                 cl_uint alignment, cl_int *errcode_ret)
{
    void *at = NULL;
    const struct svm_allocation wanted = { .size = size,
                                           .type = CL_MEM_TYPE_DEVICE_INTEL,
                                           .device = device };
    CL_RETURN(allocate_usm(context, wanted, properties, alignment, &at), at);
}

CL_API_ENTRY void *CL_API_CALL
usm_shared_alloc(cl_context context, cl_device_id device,
                 const cl_mem_properties_intel *properties, size_t size,
                 cl_uint alignment, cl_int *errcode_ret)
{
    void *at = NULL;
    const struct svm_allocation wanted = { .size = size,
                                           .type = CL_MEM_TYPE_SHARED_INTEL,
                                           .device = device };
    CL_RETURN(allocate_usm(context, wanted, properties, alignment, &at), at);
}

/* ---- free ---- */

CL_API_ENTRY cl_int CL_API_CALL
usm_free(cl_context context, void *ptr)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    CL_EXPECT(!ptr || svm_free(context, ptr), CL_INVALID_VALUE,
              "%p is not where an allocation begins", ptr);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
usm_free_blocking(cl_context context, void *ptr)
{
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    event_wait_all(context);
    return usm_free(context, ptr);
}

/* ---- queries ---- */

CL_API_ENTRY cl_int CL_API_CALL
usm_get_info(cl_context context, const void *ptr, cl_mem_info_intel param_name,
             size_t param_value_size, void *param_value,
             size_t *param_value_size_ret)
{
    struct info info = { param_value_size, param_value, param_value_size_ret };
    struct svm_allocation a = { .type = CL_MEM_TYPE_UNKNOWN_INTEL };
    CL_REQUIRE(context_is(context), CL_INVALID_CONTEXT);
    bool found = svm_find(context, ptr, 0, &a);
    assert(found || !a.at);
    (void)found;
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL:
        return INFO(&info, cl_unified_shared_memory_type_intel, a.type);
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
        return INFO(&info, void *, a.at);
    case CL_MEM_ALLOC_SIZE_INTEL:
        return INFO(&info, size_t, a.size);
    case CL_MEM_ALLOC_DEVICE_INTEL:
        return INFO(&info, cl_device_id, a.device);
    case CL_MEM_ALLOC_FLAGS_INTEL:
        return INFO(&info, cl_mem_alloc_flags_intel, a.flags);
    }
    return info_unknown(param_name);
}

/* ---- commands ---- */

CL_API_ENTRY cl_int CL_API_CALL
usm_set_argument(cl_kernel kernel, cl_uint arg_index, const void *arg_value)
{
    return clSetKernelArgSVMPointer(kernel, arg_index, arg_value);
}

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_fill(cl_command_queue queue, void *dst_ptr, const void *pattern,
                 size_t pattern_size, size_t size,
                 cl_uint num_events_in_wait_list,
                 const cl_event *event_wait_list, cl_event *event)
{
    const struct submission s = submission_to_queue(
        queue, num_events_in_wait_list, event_wait_list, event);
    return svm_submit_fill(&s, CL_COMMAND_MEMFILL_INTEL, dst_ptr, pattern,
                           pattern_size, size);
}

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_copy(cl_command_queue queue, cl_bool blocking, void *dst_ptr,
                 const void *src_ptr, size_t size,
                 cl_uint num_events_in_wait_list,
                 const cl_event *event_wait_list, cl_event *event)
{
    struct submission s = submission_to_queue(queue, num_events_in_wait_list,
                                              event_wait_list, event);
    s.blocking = blocking;
    return svm_submit_copy(&s, CL_COMMAND_MEMCPY_INTEL, dst_ptr, src_ptr, size);
}

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_migrate(cl_command_queue q, const void *ptr, size_t size,
                    cl_mem_migration_flags flags,
                    cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(svm_is_usable(q->context, ptr, size), CL_INVALID_VALUE,
              "%zu bytes at %p are not in an allocation", size, ptr);
    CL_EXPECT(!(flags & ~(CL_MIGRATE_MEM_OBJECT_HOST |
                          CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)),
              CL_INVALID_VALUE,
              "flags are 0x%" PRIx64 "; only CL_MIGRATE_MEM_OBJECT_HOST and "
              "CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED exist",
              (uint64_t)flags);
    return svm_enqueue_nothing(q, CL_COMMAND_MIGRATEMEM_INTEL, CL_FALSE, &wait,
                               event);
}

/* Advice has no effect: no value of it is defined. */
CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_advice(cl_command_queue q, const void *ptr, size_t size,
                   cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event)
{
    const struct wait wait = { num_events_in_wait_list, event_wait_list };
    (void)advice;
    CL_CHECK(svm_check_queue(q));
    CL_EXPECT(svm_is_usable(q->context, ptr, size), CL_INVALID_VALUE,
              "%zu bytes at %p are not in an allocation", size, ptr);
    return svm_enqueue_nothing(q, CL_COMMAND_MEMADVISE_INTEL, CL_FALSE, &wait,
                               event);
}
