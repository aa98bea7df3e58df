/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the device library is made of.  The __ventus_* functions are defined
 * nowhere: the compiler turns each into an instruction (src/cc/front/
 * intrinsics.h is the list).
 */
#pragma once

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define OVERLOAD  __attribute__((overloadable))
#define PURE      OVERLOAD __attribute__((const))
#define INTRINSIC __attribute__((const))

/* Where a work-item is.  All but the lane are the same for a whole warp, so
 * what is computed from them stays in scalar registers. */
INTRINSIC uint
__ventus_lane(void);
INTRINSIC uint
__ventus_local_linear(void); /* number in the workgroup */
INTRINSIC uint
__ventus_csr_tid(void); /* of the first lane, in the workgroup */
INTRINSIC uint
__ventus_csr_numw(void); /* warps of a whole workgroup */
INTRINSIC uint
__ventus_csr_numt(void); /* lanes of a warp */
INTRINSIC uint
__ventus_csr_wid(void);
INTRINSIC uint
__ventus_csr_gidx(void);
INTRINSIC uint
__ventus_csr_gidy(void);
INTRINSIC uint
__ventus_csr_gidz(void);

/* A word of the kernel's metadata, by its offset. */
INTRINSIC uint
__ventus_knl_word(uint offset);

enum {
    KNL_WORK_DIM = 8,
    KNL_GLOBAL_SIZE = 12,
    KNL_LOCAL_SIZE = 24,
    KNL_GLOBAL_OFFSET = 36,
    KNL_PRINT_ADDR = 48,
    KNL_PRINT_SIZE = 52,
};

/* Three functions that the front end replaces, with constants if it can: whether global
 * sizes are multiples of local sizes, as all are before OpenCL 2.0; the size of
 * sub-groups that the kernel requires, a power of two, or 0; and how many
 * dimensions of a workgroup may be larger than 1, for the local id of dimension
 * d: more than there are unless it matters. */
INTRINSIC bool
__ventus_uniform_groups(void);
INTRINSIC uint
__ventus_required_sub_group(void);
INTRINSIC uint
__ventus_local_dims(uint d);

/* Local memory that kernels get when they use it: 64 bits for each of as many
 * work-items as a workgroup may have (front/builtins.c). */
INTRINSIC local ulong *
__ventus_values(void);

/* flags: CLK_*_MEM_FENCE; scope: 0 workgroup, 1 work-item, 2 device, 3 all.  What
 * is not constant is taken to be all there is. */
void
__ventus_barrier(int flags, int scope);
void
__ventus_barriersub(int flags); /* of the warp alone */

/* fence: what it orders before what, as the instruction has it (fm, pred, succ),
 * and what it does to the L1D of the SM (docs/abi.md, "Memory order"). */
enum {
    FENCE_DRAIN = 0x21,   /* r,w: waits for the warp's own accesses */
    FENCE_ACQUIRE = 0x23, /* r,rw: invalidates */
    FENCE_RELEASE = 0x31, /* rw,w: flushes */
    FENCE_BOTH = 0x833,   /* tso, r,rw and rw,w: invalidates */
    FENCE_ALL = 0x33,     /* rw,rw: invalidates */
};
void
__ventus_fence(int order);

/* Beyond the workgroup: the L1Ds of several SMs. */
#define IS_WIDE(scope)                 \
    ((scope) == memory_scope_device || \
     (int)(scope) == __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES)

/* Tells a checker what the workgroup does together (src/abi/hints.h); operands
 * follow. */
void
__ventus_hint(int number);
void
__ventus_tell(uint operand);
INTRINSIC event_t
__ventus_event(uint word);
INTRINSIC uint
__ventus_event_word(event_t event);

INTRINSIC float
__ventus_exp_f32(float x);

INTRINSIC uint
__ventus_mulhu(uint a, uint b);
INTRINSIC int
__ventus_mulhs(int a, int b);

/* Sets the print CSR: returns when the host has drained the print buffer. */
void
__ventus_print(uint value);

/* size_t in a mangled name: uint in version 1, ulong in version 2. */
#if __SIZEOF_POINTER__ == 8
#define SIZE_MANGLED "m"
#else
#define SIZE_MANGLED "j"
#endif

/* X for all scalar types, and for all widths of one. */
/* clang-format off */
#define FOR_INTEGERS(X) \
    X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#define FOR_SCALARS(X) FOR_INTEGERS(X) X(float) X(double)
#define FOR_WIDTHS(X, T) X(T) X(T##2) X(T##3) X(T##4) X(T##8) X(T##16)

/* Reductions and scans of bits of a kind of group, by the names that llvm-spirv gives to
 * SPIR-V's instructions; of truth values. */
#define BITWISE_NAME(GROUP, T, NAME) \
    OVERLOAD T GROUP##_reduce_bitwise_##NAME(T x) \
    { return GROUP##_reduce_##NAME(x); } \
    OVERLOAD T GROUP##_scan_inclusive_bitwise_##NAME(T x) \
    { return GROUP##_scan_inclusive_##NAME(x); } \
    OVERLOAD T GROUP##_scan_exclusive_bitwise_##NAME(T x) \
    { return GROUP##_scan_exclusive_##NAME(x); }
#define BITWISE_NAMES(GROUP, T) \
    BITWISE_NAME(GROUP, T, and) BITWISE_NAME(GROUP, T, or) \
    BITWISE_NAME(GROUP, T, xor)
#define LOGICAL(GROUP, NAME) \
    OVERLOAD int GROUP##_reduce_logical_##NAME(int x) \
    { return GROUP##_reduce_##NAME((int)(x != 0)); } \
    OVERLOAD int GROUP##_scan_inclusive_logical_##NAME(int x) \
    { return GROUP##_scan_inclusive_##NAME((int)(x != 0)); } \
    OVERLOAD int GROUP##_scan_exclusive_logical_##NAME(int x) \
    { return GROUP##_scan_exclusive_##NAME((int)(x != 0)) & 1; }

/* X for each kind of pointer but the generic one. */
#define FOR_SPACES(X, ...) \
    X(private, __VA_ARGS__) X(local, __VA_ARGS__) X(global, __VA_ARGS__)

/* Functions of vectors by those of scalars, half by half; of one argument,
 * and of two of types T and U. */
#define VECTOR_1(F, T) \
    PURE T F(T x) { return (T)(F(x.lo), F(x.hi)); }
#define VECTORS_1(F, T) \
    VECTOR_1(F, T##2) \
    PURE T##3 F(T##3 x) { return (T##3)(F(x.xy), F(x.z)); } \
    VECTOR_1(F, T##4) VECTOR_1(F, T##8) VECTOR_1(F, T##16)
#define VECTOR_2(F, T, U) \
    PURE T F(T x, U y) { return (T)(F(x.lo, y.lo), F(x.hi, y.hi)); }
#define VECTORS_2(F, T, U) \
    VECTOR_2(F, T##2, U##2) \
    PURE T##3 F(T##3 x, U##3 y) \
    { return (T##3)(F(x.xy, y.xy), F(x.z, y.z)); } \
    VECTOR_2(F, T##4, U##4) VECTOR_2(F, T##8, U##8) VECTOR_2(F, T##16, U##16)
