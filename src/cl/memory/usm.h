/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cl/platform/device.h"

/* cl_intel_unified_shared_memory: the memory of svm.h by other calls.  Memory of the
 * host, of a device and of both differ only in the answers of queries. */

/* The capabilities of the device with memory that the host uses at the same time, or
 * with memory of its own. */
cl_device_unified_shared_memory_capabilities_intel
usm_capabilities(cl_device_id d, bool own);

/* The capabilities with any memory of the process. */
cl_device_unified_shared_memory_capabilities_intel
usm_system_capabilities(cl_device_id d);

/* The functions of the extension, which extension.def names. */
CL_API_ENTRY void *CL_API_CALL
usm_host_alloc(cl_context context, const cl_mem_properties_intel *properties,
               size_t size, cl_uint alignment, cl_int *errcode_ret);

CL_API_ENTRY void *CL_API_CALL
usm_device_alloc(cl_context context, cl_device_id device,
                 const cl_mem_properties_intel *properties, size_t size,
                 cl_uint alignment, cl_int *errcode_ret);

CL_API_ENTRY void *CL_API_CALL
usm_shared_alloc(cl_context context, cl_device_id device,
                 const cl_mem_properties_intel *properties, size_t size,
                 cl_uint alignment, cl_int *errcode_ret);

CL_API_ENTRY cl_int CL_API_CALL
usm_free(cl_context context, void *ptr);

CL_API_ENTRY cl_int CL_API_CALL
usm_free_blocking(cl_context context, void *ptr);

CL_API_ENTRY cl_int CL_API_CALL
usm_get_info(cl_context context, const void *ptr, cl_mem_info_intel param_name,
             size_t param_value_size, void *param_value,
             size_t *param_value_size_ret);

CL_API_ENTRY cl_int CL_API_CALL
usm_set_argument(cl_kernel kernel, cl_uint arg_index, const void *arg_value);

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_fill(cl_command_queue queue, void *dst_ptr, const void *pattern,
                 size_t pattern_size, size_t size,
                 cl_uint num_events_in_wait_list,
                 const cl_event *event_wait_list, cl_event *event);

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_copy(cl_command_queue queue, cl_bool blocking, void *dst_ptr,
                 const void *src_ptr, size_t size,
                 cl_uint num_events_in_wait_list,
                 const cl_event *event_wait_list, cl_event *event);

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_migrate(cl_command_queue q, const void *ptr, size_t size,
                    cl_mem_migration_flags flags,
                    cl_uint num_events_in_wait_list,
                    const cl_event *event_wait_list, cl_event *event);

CL_API_ENTRY cl_int CL_API_CALL
usm_enqueue_advice(cl_command_queue q, const void *ptr, size_t size,
                   cl_mem_advice_intel advice, cl_uint num_events_in_wait_list,
                   const cl_event *event_wait_list, cl_event *event);
