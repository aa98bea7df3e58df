/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

/*
 * cl_khr_command_buffer 0.9.8 as its specification has it: constants, types, and the
 * functions of the runtime that extension.def names.  Headers of OpenCL have it in the
 * version of their year, of which all but the functions agree.
 */

#ifndef CL_COMMAND_COMMAND_BUFFER_KHR
/* cl_command_type */
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
/* cl_device_info */
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR              0x12A9
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
/* cl_device_command_buffer_capabilities_khr - bitfield */
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR       (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
/* cl_command_buffer_properties_khr */
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
/* Error Codes */
#define CL_INVALID_COMMAND_BUFFER_KHR       -1138
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR   -1140
/* cl_command_buffer_info_khr */
#define CL_COMMAND_BUFFER_QUEUES_KHR           0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR       0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR  0x1296
#define CL_COMMAND_BUFFER_STATE_KHR            0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
/* cl_command_buffer_state_khr */
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR  0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
/* cl_command_buffer_info_khr */
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
/* cl_device_info */
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
/* cl_device_command_buffer_capabilities_khr - bitfield */
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
/* cl_command_buffer_flags_khr - bitfield */
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#endif

typedef cl_bitfield cl_device_command_buffer_capabilities_khr;
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_uint cl_command_buffer_state_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_bitfield cl_command_buffer_flags_khr;
typedef cl_properties cl_command_properties_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;

CL_API_ENTRY cl_command_buffer_khr CL_API_CALL
command_buffer_create(cl_uint num_queues, const cl_command_queue *queues,
                      const cl_command_buffer_properties_khr *properties,
                      cl_int *errcode_ret);

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_finalize(cl_command_buffer_khr command_buffer);

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_retain(cl_command_buffer_khr command_buffer);

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_release(cl_command_buffer_khr command_buffer);

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_enqueue(cl_uint num_queues, cl_command_queue *queues,
                       cl_command_buffer_khr command_buffer,
                       cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event);

CL_API_ENTRY cl_int CL_API_CALL
command_buffer_get_info(cl_command_buffer_khr command_buffer,
                        cl_command_buffer_info_khr param_name,
                        size_t param_value_size, void *param_value,
                        size_t *param_value_size_ret);

/* Recording: `command_queue` and `mutable_handle` must be NULL. */

CL_API_ENTRY cl_int CL_API_CALL
barrier_record(cl_command_buffer_khr command_buffer,
               cl_command_queue command_queue,
               const cl_command_properties_khr *properties,
               cl_uint num_sync_points_in_wait_list,
               const cl_sync_point_khr *sync_point_wait_list,
               cl_sync_point_khr *sync_point,
               cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
transfer_record_copy(cl_command_buffer_khr command_buffer,
                     cl_command_queue command_queue,
                     const cl_command_properties_khr *properties,
                     cl_mem src_buffer, cl_mem dst_buffer, size_t src_offset,
                     size_t dst_offset, size_t size,
                     cl_uint num_sync_points_in_wait_list,
                     const cl_sync_point_khr *sync_point_wait_list,
                     cl_sync_point_khr *sync_point,
                     cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
rect_record_copy(cl_command_buffer_khr command_buffer,
                 cl_command_queue command_queue,
                 const cl_command_properties_khr *properties, cl_mem src_buffer,
                 cl_mem dst_buffer, const size_t *src_origin,
                 const size_t *dst_origin, const size_t *region,
                 size_t src_row_pitch, size_t src_slice_pitch,
                 size_t dst_row_pitch, size_t dst_slice_pitch,
                 cl_uint num_sync_points_in_wait_list,
                 const cl_sync_point_khr *sync_point_wait_list,
                 cl_sync_point_khr *sync_point,
                 cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
image_record_copy_from_buffer(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_buffer,
    cl_mem dst_image, size_t src_offset, const size_t *dst_origin,
    const size_t *region, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
image_record_copy(cl_command_buffer_khr command_buffer,
                  cl_command_queue command_queue,
                  const cl_command_properties_khr *properties, cl_mem src_image,
                  cl_mem dst_image, const size_t *src_origin,
                  const size_t *dst_origin, const size_t *region,
                  cl_uint num_sync_points_in_wait_list,
                  const cl_sync_point_khr *sync_point_wait_list,
                  cl_sync_point_khr *sync_point,
                  cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
image_record_copy_to_buffer(
    cl_command_buffer_khr command_buffer, cl_command_queue command_queue,
    const cl_command_properties_khr *properties, cl_mem src_image,
    cl_mem dst_buffer, const size_t *src_origin, const size_t *region,
    size_t dst_offset, cl_uint num_sync_points_in_wait_list,
    const cl_sync_point_khr *sync_point_wait_list,
    cl_sync_point_khr *sync_point, cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
fill_record(cl_command_buffer_khr command_buffer,
            cl_command_queue command_queue,
            const cl_command_properties_khr *properties, cl_mem buffer,
            const void *pattern, size_t pattern_size, size_t offset,
            size_t size, cl_uint num_sync_points_in_wait_list,
            const cl_sync_point_khr *sync_point_wait_list,
            cl_sync_point_khr *sync_point,
            cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
image_record_fill(cl_command_buffer_khr command_buffer,
                  cl_command_queue command_queue,
                  const cl_command_properties_khr *properties, cl_mem image,
                  const void *fill_color, const size_t *origin,
                  const size_t *region, cl_uint num_sync_points_in_wait_list,
                  const cl_sync_point_khr *sync_point_wait_list,
                  cl_sync_point_khr *sync_point,
                  cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
kernel_record(cl_command_buffer_khr command_buffer,
              cl_command_queue command_queue,
              const cl_command_properties_khr *properties, cl_kernel kernel,
              cl_uint work_dim, const size_t *global_work_offset,
              const size_t *global_work_size, const size_t *local_work_size,
              cl_uint num_sync_points_in_wait_list,
              const cl_sync_point_khr *sync_point_wait_list,
              cl_sync_point_khr *sync_point,
              cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
svm_record_copy(cl_command_buffer_khr command_buffer,
                cl_command_queue command_queue,
                const cl_command_properties_khr *properties, void *dst_ptr,
                const void *src_ptr, size_t size,
                cl_uint num_sync_points_in_wait_list,
                const cl_sync_point_khr *sync_point_wait_list,
                cl_sync_point_khr *sync_point,
                cl_mutable_command_khr *mutable_handle);

CL_API_ENTRY cl_int CL_API_CALL
svm_record_fill(cl_command_buffer_khr command_buffer,
                cl_command_queue command_queue,
                const cl_command_properties_khr *properties, void *svm_ptr,
                const void *pattern, size_t pattern_size, size_t size,
                cl_uint num_sync_points_in_wait_list,
                const cl_sync_point_khr *sync_point_wait_list,
                cl_sync_point_khr *sync_point,
                cl_mutable_command_khr *mutable_handle);
