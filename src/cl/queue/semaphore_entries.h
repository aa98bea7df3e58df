/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

/* cl_khr_semaphore 1.0.1: what headers of OpenCL from before 2024 lack, and the
 * functions of the runtime that extension.def names. */

#ifndef CL_SEMAPHORE_TYPE_KHR
/* cl_semaphore_type_khr */
#define CL_SEMAPHORE_TYPE_BINARY_KHR 1
/* cl_platform_info */
#define CL_PLATFORM_SEMAPHORE_TYPES_KHR 0x2036
/* cl_device_info */
#define CL_DEVICE_SEMAPHORE_TYPES_KHR 0x204C
/* cl_semaphore_info_khr */
#define CL_SEMAPHORE_CONTEXT_KHR         0x2039
#define CL_SEMAPHORE_REFERENCE_COUNT_KHR 0x203A
#define CL_SEMAPHORE_PROPERTIES_KHR      0x203B
#define CL_SEMAPHORE_PAYLOAD_KHR         0x203C
#define CL_SEMAPHORE_TYPE_KHR            0x203D
/* cl_command_type */
#define CL_COMMAND_SEMAPHORE_WAIT_KHR   0x2042
#define CL_COMMAND_SEMAPHORE_SIGNAL_KHR 0x2043
/* Error Codes */
#define CL_INVALID_SEMAPHORE_KHR -1142
#endif
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
/* cl_semaphore_info_khr */
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR     0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

typedef struct _cl_semaphore_khr *cl_semaphore_khr;
typedef cl_properties cl_semaphore_properties_khr;
typedef cl_uint cl_semaphore_info_khr;
typedef cl_uint cl_semaphore_type_khr;
typedef cl_ulong cl_semaphore_payload_khr;
typedef cl_uint cl_external_semaphore_handle_type_khr;

CL_API_ENTRY cl_semaphore_khr CL_API_CALL
semaphore_create(cl_context context,
                 const cl_semaphore_properties_khr *sema_props,
                 cl_int *errcode_ret);

CL_API_ENTRY cl_int CL_API_CALL
semaphore_retain(cl_semaphore_khr sema_object);

CL_API_ENTRY cl_int CL_API_CALL
semaphore_release(cl_semaphore_khr sema_object);

CL_API_ENTRY cl_int CL_API_CALL
semaphore_get_info(cl_semaphore_khr sema_object,
                   cl_semaphore_info_khr param_name, size_t param_value_size,
                   void *param_value, size_t *param_value_size_ret);

CL_API_ENTRY cl_int CL_API_CALL
semaphore_enqueue_wait(cl_command_queue command_queue, cl_uint num_sema_objects,
                       const cl_semaphore_khr *sema_objects,
                       const cl_semaphore_payload_khr *sema_payload_list,
                       cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event);

CL_API_ENTRY cl_int CL_API_CALL
semaphore_enqueue_signal(cl_command_queue command_queue,
                         cl_uint num_sema_objects,
                         const cl_semaphore_khr *sema_objects,
                         const cl_semaphore_payload_khr *sema_payload_list,
                         cl_uint num_events_in_wait_list,
                         const cl_event *event_wait_list, cl_event *event);

/* An entry of cl_khr_external_semaphore, which devices do not have; clients of semaphores
 * look for it.  No semaphore has a handle of any type. */
CL_API_ENTRY cl_int CL_API_CALL
semaphore_get_handle(cl_semaphore_khr sema_object, cl_device_id device,
                     cl_external_semaphore_handle_type_khr handle_type,
                     size_t handle_size, void *handle_ptr,
                     size_t *handle_size_ret);
