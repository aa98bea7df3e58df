/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The OpenCL C features of kernels for a Ventus device.  The compiler defines these
 * macros, the runtime answers queries with them: there is no other list.
 *
 * X(name, major, minor, patch)
 */
/* clang-format off */
#define OPENCL_C_EXTENSIONS(X)                 \
    X(cl_khr_byte_addressable_store, 1, 0, 0)  \
    X(cl_khr_global_int32_base_atomics, 1, 0, 0)     \
    X(cl_khr_global_int32_extended_atomics, 1, 0, 0) \
    X(cl_khr_local_int32_base_atomics, 1, 0, 0)      \
    X(cl_khr_local_int32_extended_atomics, 1, 0, 0)  \
    X(cl_khr_int64_base_atomics, 1, 0, 0)            \
    X(cl_khr_int64_extended_atomics, 1, 0, 0)        \
    X(cl_khr_3d_image_writes, 1, 0, 0)               \
    X(cl_khr_image2d_from_buffer, 1, 0, 0)           \
    X(cl_khr_fp64, 1, 0, 0)                          \
    X(cl_khr_fp16, 1, 0, 0)

#define OPENCL_C_FEATURES(X)                     \
    X(__opencl_c_int64, 3, 0, 0)                 \
    X(__opencl_c_images, 3, 0, 0)                \
    X(__opencl_c_3d_image_writes, 3, 0, 0)       \
    X(__opencl_c_read_write_images, 3, 0, 0)     \
    X(__opencl_c_fp64, 3, 0, 0)                  \
    X(__opencl_c_subgroups, 3, 0, 0)             \
    X(__opencl_c_generic_address_space, 3, 0, 0) \
    X(__opencl_c_atomic_order_acq_rel, 3, 0, 0)  \
    X(__opencl_c_atomic_order_seq_cst, 3, 0, 0)  \
    X(__opencl_c_program_scope_global_variables, 3, 0, 0)

/* Features that clang knows as macros only. */
#define OPENCL_C_MACRO_FEATURES(X)               \
    X(__opencl_c_atomic_scope_device, 3, 0, 0)   \
    X(__opencl_c_work_group_collective_functions, 3, 0, 0)

/* Features that clang knows as macros only, of devices that share memory with the
 * host. */
#define OPENCL_C_SHARED_FEATURES(X) X(__opencl_c_atomic_scope_all_devices, 3, 0, 0)

/* Versions of the language for -cl-std. */
#define OPENCL_C_VERSIONS(X) \
    X("OpenCL C", 1, 0, 0)   \
    X("OpenCL C", 1, 1, 0)   \
    X("OpenCL C", 1, 2, 0)   \
    X("OpenCL C", 3, 0, 0)
/* clang-format on */

/* Limits of variables in global memory, in bytes: of one, and of all in a program. */
enum { OPENCL_C_VARIABLE_B = 16 << 20, OPENCL_C_VARIABLES_B = 64 << 20 };
