/* SPDX-License-Identifier: Apache-2.0 */
/* What the device says it can do, it does: arithmetic, extensions, features,
 * versions, time. */
#include <math.h>

#include "image_ref.h"

/* Queries of cl_ext_float_atomics, which the headers of 2022 lack. */
#ifndef CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT   0x4233
#endif

/* ---- arithmetic ---- */

static uint32_t
word_of(float x)
{
    uint32_t word;
    memcpy(&word, &x, 4);
    return word;
}

TEST(single_precision)
{
    static const char text[] =
        "kernel void k(global float *r, global const float *a) {\n"
        "  int i = get_global_id(0); float x = a[i], y = a[i + 1];\n"
        "  r[4 * i] = x * 0.5f; r[4 * i + 1] = x / y;\n"
        "  r[4 * i + 2] = sqrt(fabs(x)); r[4 * i + 3] = fma(x, y, -x); }\n";
    enum { N = 500 };
    static float a[N + 1], r[4 * N];
    static const float odd[] = { 1e-40f,    -3e-45f, INFINITY, 0,
                                 -INFINITY, 1e-38f,  NAN,      3e38f };
    struct cl t = cl_open(0);
    cl_device_fp_config can = ASK_DEVICE(cl_ulong, CL_DEVICE_SINGLE_FP_CONFIG);
    CHECK((can & CL_FP_DENORM) && (can & CL_FP_INF_NAN) && (can & CL_FP_FMA) &&
          (can & CL_FP_ROUND_TO_NEAREST) &&
          (can & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT));
    for (unsigned i = 0; i <= N; i++)
        a[i] =
            i < 8 ? odd[i] : ldexpf((float)next(), (int)(next() % 240) - 140);
    cl_program p = cl_build(&t, text, "-cl-fp32-correctly-rounded-divide-sqrt");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem to = cl_buffer(&t, 0, sizeof r, NULL);
    cl_mem from = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof a, a);
    OK(clSetKernelArg(k, 0, sizeof to, &to));
    OK(clSetKernelArg(k, 1, sizeof from, &from));
    const size_t items = N;
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, NULL, 0, NULL,
                              NULL));
    get(&t, to, sizeof r, r);
    for (unsigned i = 0; i < N; i++) {
        float x = a[i], y = a[i + 1];
        const float want[] = { x * 0.5f, x / y, sqrtf(fabsf(x)),
                               fmaf(x, y, -x) };
        for (unsigned j = 0; j < 4; j++)
            if (!isnan(want[j]) || !isnan(r[4 * i + j]))
                CHECK_EQ(word_of(r[4 * i + j]), word_of(want[j]));
    }
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(from));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* 2^24 + 3 and 2^53 + 3 lie between two numbers; so do their negatives. */
TEST(rounding_modes)
{
    static const char text[] =
        "kernel void k(global int *x) { x[0] = 16777219; int i = x[0];\n"
        "  long l = ((long)i << 29) - (3L << 29) + 3;\n"
        "#define F(M) convert_float##M\n#define D(M) convert_double##M\n"
        "#define EACH(T, i, a, b) T()(i) == b && T(_rte)(-i) == -b &&\\\n"
        "    T(_rtz)(i) == a && T(_rtz)(-i) == -a && T(_rtp)(i) == b &&\\\n"
        "    T(_rtp)(-i) == -a && T(_rtn)(i) == a && T(_rtn)(-i) == -b\n"
        "  x[0] = EACH(F, i, 0x1.000002p24f, 0x1.000004p24f) && EACH(D, l,\n"
        "    0x1.0000000000001p53, 0x1.0000000000002p53); }\n";
    const cl_device_fp_config modes =
        CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF;
    struct cl t = cl_open(0);
    cl_device_fp_config single, twice;
    single = ASK_DEVICE(cl_device_fp_config, CL_DEVICE_SINGLE_FP_CONFIG);
    twice = ASK_DEVICE(cl_device_fp_config, CL_DEVICE_DOUBLE_FP_CONFIG);
    CHECK((single & modes) == modes && (twice & modes) == modes);
    cl_program p = cl_build(&t, text, "");
    CHECK_EQ(cl_result(&t, p), 1);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* 3 * 2^-24 is subnormal, 2049 lies between 2048 and 2050, and the square of
 * 1 + 2^-10 needs 21 bits. */
TEST(half_precision)
{
    static const char text[] =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "#define H(M, x) convert_half##M(x)\n"
        "kernel void k(global int *x) { x[0] = 3;\n"
        "  half tiny = x[0] * 0x1p-24h, a = 1 + 0x1p-10h, b = 65504;\n"
        "  float f = 2046 + x[0];\n"
        "  int subnormal = tiny != 0 && tiny * 0x1p15h == 3 * 0x1p-9h;\n"
        "  half inf = b * (half)x[0], nan = inf - inf;\n"
        "  int special = isinf(inf) && isnan(nan) && inf > b;\n"
        "  int fused = fma(a, a, -(1 + 0x1p-9h)) == (half)0x1p-20f;\n"
        "  int even = (half)2048 + (half)(x[0] - 2) == 2048 &&\n"
        "             (half)2050 + (half)(x[0] - 2) == 2052;\n"
        "  int modes = H(, f) == 2048 && H(_rte, f) == 2048 &&\n"
        "    H(_rtz, f) == 2048 && H(_rtz, -f) == -2048 &&\n"
        "    H(_rtp, f) == 2050 && H(_rtp, -f) == -2048 &&\n"
        "    H(_rtn, f) == 2048 && H(_rtn, -f) == -2050;\n"
        "  x[0] = subnormal | special << 1 | fused << 2 | even << 3 |\n"
        "         modes << 4; }\n";
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "");
    CHECK_EQ(ASK_DEVICE(cl_device_fp_config, CL_DEVICE_HALF_FP_CONFIG),
             CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_FMA | CL_FP_ROUND_TO_NEAREST |
                 CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF);
    CHECK_EQ(cl_result(&t, p), 31);
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* ---- extensions, features, versions ---- */

/* Programs whose k leaves 1 in x[0].  Without text: other tests here. */
static const struct fact {
    const char *name, *text;
} facts[] = {
    { "cl_khr_icd", NULL },
    { "cl_ext_buffer_device_address", NULL },
    { "cl_khr_create_command_queue", NULL },
    { "cl_khr_suggested_local_work_size", NULL },
    { "cl_khr_command_buffer", NULL }, /* cl_command_buffer */
    { "cl_khr_semaphore", NULL },      /* cl_semaphore */
    { "cl_khr_device_uuid", NULL },
    { "cl_khr_extended_versioning", NULL },
    { "cl_khr_priority_hints", NULL },
    { "cl_khr_throttle_hints", NULL },
    { "cl_khr_expect_assume",
      "kernel void k(global int *x) { x[0] = 9; int v = __builtin_expect(x[0], "
      "9);\n"
      "  __builtin_assume(v >= 0); x[0] = v % 4; }" },
    { "cl_intel_unified_shared_memory", NULL },
    { "cl_khr_il_program", NULL },    /* cl_spirv */
    { "cl_khr_spirv_queries", NULL }, /* cl_spirv */
    { "cl_khr_byte_addressable_store",
      "kernel void k(global int *x) { x[0] = -1; global uchar *c = (global "
      "uchar *)x;\n"
      "  *(global ushort *)&c[2] = 0; c[1] = 0; c[0] = 1; }\n" },
    { "cl_khr_global_int32_base_atomics",
      "kernel void k(global int *x) { x[0] = 3; atomic_sub(x, 1);\n"
      "  atomic_inc(x); atomic_dec(x); if (atomic_add(x, 5) == 2 &&\n"
      "  atomic_xchg(x, 9) == 7 && atomic_cmpxchg(x, 9, 1) != 9) x[0] = 0; }" },
    { "cl_khr_global_int32_extended_atomics",
      "kernel void k(global int *x) { x[0] = 12; atomic_min(x, 9);\n"
      "  atomic_max(x, 3); atomic_and(x, 8); atomic_or(x, 2);\n"
      "  atomic_xor(x, 11); }" },
    { "cl_khr_local_int32_base_atomics",
      "kernel void k(global int *x) { local int y; y = 3; atomic_sub(&y, 1);\n"
      "  atomic_inc(&y); atomic_dec(&y); x[0] = atomic_add(&y, 5) == 2 &&\n"
      "  atomic_xchg(&y, 9) == 7 && atomic_cmpxchg(&y, 9, 1) == 9; }" },
    { "cl_khr_local_int32_extended_atomics",
      "kernel void k(global int *x) { local int y; y = 12; atomic_min(&y, 9);\n"
      "  atomic_max(&y, 3); atomic_and(&y, 8); atomic_or(&y, 2);\n"
      "  atomic_xor(&y, 11); x[0] = y; }" },
    { "cl_khr_int64_base_atomics",
      "kernel void k(global int *x) { local long y; y = 1L << 40;\n"
      "  atom_add(&y, 1); atom_inc(&y); atom_dec(&y); atom_sub(&y, 1L << 40);\n"
      "  x[0] = atom_xchg(&y, -1) == 1 && atom_cmpxchg(&y, -1, 2) == -1; }" },
    { "cl_khr_int64_extended_atomics",
      "kernel void k(global int *x) { local long y; y = 3L << 40;\n"
      "  atom_min(&y, 5L << 32); atom_max(&y, 4); atom_and(&y, 4L << 32);\n"
      "  atom_or(&y, 3); atom_xor(&y, 2); x[0] = y == (4L << 32 | 1); }" },
    { "cl_khr_3d_image_writes", NULL },
    { "cl_khr_image2d_from_buffer", NULL },
    { "cl_khr_srgb_image_writes", NULL }, /* cl_image_kernel */
    { "cl_khr_fp64",
      "kernel void k(global int *x) { x[0] = 3; double d = x[0] / 3.0;\n"
      "  x[0] = d + 0x1p-52 > d && fma(d, d, -1.0) == 0; }" },
    { "cl_khr_fp16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                     "kernel void k(global int *x) { x[0] = 3; half h = x[0];\n"
                     "  x[0] = h / (half)3 + (half)0x1p-12 == (half)1; }" },
    { "cl_khr_subgroups",
      "kernel void k(global int *x) { x[0] = sub_group_any(1) &&\n"
      "  sub_group_scan_exclusive_max(3) == INT_MIN; }" },
    { "cl_khr_subgroup_extended_types",
      "kernel void k(global int *x) { x[0] = sub_group_broadcast((short3)9, "
      "0).z\n"
      "  == 9 && sub_group_reduce_min((uchar)200) == 200; }" },
    { "cl_khr_subgroup_shuffle",
      "kernel void k(global int *x) { x[0] = sub_group_shuffle(7L << 40, 0) "
      "==\n"
      "  7L << 40 && sub_group_shuffle_xor((char)-3, 0) == -3; }" },
    { "cl_khr_subgroup_shuffle_relative",
      "kernel void k(global int *x) { x[0] = sub_group_shuffle_up(7.5, 0) == "
      "7.5\n"
      "  && sub_group_shuffle_down((ushort)9, 0) == 9; }" },
    { "cl_khr_subgroup_rotate",
      "kernel void k(global int *x) { x[0] = sub_group_rotate(7, 0) == 7 &&\n"
      "  sub_group_clustered_rotate(8u, 5, 1) == 8; }" },
    { "cl_khr_subgroup_non_uniform_vote",
      "kernel void k(global int *x) { if (sub_group_elect())\n"
      "  x[0] = sub_group_non_uniform_all_equal(2.0f); }" },
    { "cl_khr_subgroup_ballot",
      "kernel void k(global int *x) { uint4 b = sub_group_ballot(1);\n"
      "  x[0] = b.x == 1 && sub_group_broadcast_first(5) == 5; }" },
    { "cl_khr_subgroup_non_uniform_arithmetic",
      "kernel void k(global int *x) {\n"
      "  x[0] = sub_group_non_uniform_reduce_mul(3) == 3 &&\n"
      "  sub_group_non_uniform_scan_exclusive_logical_and(0); }" },
    { "cl_khr_subgroup_clustered_reduce",
      "kernel void k(global int *x) {\n"
      "  x[0] = sub_group_clustered_reduce_xor(5, 4) == 5; }" },
    { "cl_intel_subgroups",
      "kernel void k(global int *x) { x[1] = 4;\n"
      "  uint y = intel_sub_group_block_read((global uint *)x + 1);\n"
      "  x[0] = intel_sub_group_shuffle_down(y, 5u, 0) == 4; }" },
    { "cl_intel_required_subgroup_size",
      "__attribute__((intel_reqd_sub_group_size(8)))\n"
      "kernel void k(global int *x) { x[0] = get_max_sub_group_size() == 8; "
      "}" },
    { "__opencl_c_int64",
      "kernel void k(global int *x) { x[0] = 5; long y = (long)x[0] << 40;\n"
      "  x[0] = y / 5 == 1L << 40; }" },
    { "__opencl_c_images", NULL },
    { "__opencl_c_3d_image_writes", NULL },
    { "__opencl_c_read_write_images", NULL },
    { "__opencl_c_fp64",
      "kernel void k(global int *x) { x[0] = 3; x[0] = 0.1 * x[0] != 0.3f; }" },
    { "__opencl_c_subgroups",
      "kernel void k(global int *x) { x[0] = sub_group_reduce_add(1) ==\n"
      "  get_sub_group_size() && sub_group_broadcast(7, 0) == 7; }" },
    { "__opencl_c_generic_address_space",
      "kernel void k(global int *x) { local int l; int *p = &l; *p = 1;\n"
      "  p = x; *p = l; }" },
    { "__opencl_c_atomic_order_acq_rel",
      "kernel void k(global int *x) { local atomic_int l; atomic_init(&l, 0);\n"
      "  atomic_fetch_add_explicit(&l, 1, memory_order_acq_rel,\n"
      "      memory_scope_work_group);\n"
      "  atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_acq_rel,\n"
      "      memory_scope_work_group);\n"
      "  x[0] = atomic_load_explicit(&l, memory_order_acquire,\n"
      "      memory_scope_work_group); }" },
    { "__opencl_c_atomic_order_seq_cst",
      "kernel void k(global int *x) { local atomic_int l; atomic_init(&l, 0);\n"
      "  atomic_fetch_add(&l, 1); x[0] = atomic_load(&l); }" },
    { "__opencl_c_atomic_scope_device",
      "kernel void k(global atomic_int *x) { atomic_store_explicit(x, 1,\n"
      "  memory_order_relaxed, memory_scope_device); }" },
    { "__opencl_c_work_group_collective_functions",
      "kernel void k(global int *x) { x[0] = work_group_reduce_add(1); }" },
    { "__opencl_c_atomic_scope_all_devices",
      "kernel void k(global atomic_int *x) { atomic_store_explicit(x, 1,\n"
      "  memory_order_relaxed, memory_scope_all_devices); }" },
    { "__opencl_c_program_scope_global_variables",
      "global int y[3] = { 1, 2, 3 }; global int *global p = &y[1];\n"
      "kernel void k(global int *x) { static global int z; z = 2;\n"
      "  x[0] = *p == z; }" },
    { "cl_ext_float_atomics", NULL },
    { "cl_khr_work_group_uniform_arithmetic",
      "kernel void k(global int *x) { x[0] = work_group_reduce_mul(3) == 3 &&\n"
      "  work_group_scan_exclusive_logical_and(0) == 1 &&\n"
      "  work_group_scan_exclusive_and(5ul) == -1ul; }" },
    { "__opencl_c_ext_fp16_global_atomic_load_store",
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "global atomic_half a[2];\n"
      "kernel void k(global int *x) { global atomic_half *p = &a[1];\n"
      "  atomic_store(p, 3); atomic_store(p, atomic_load(p) + 1);\n"
      "  x[0] = atomic_exchange(p, 5) == 4 && atomic_load(p) == 5; }" },
    { "__opencl_c_ext_fp16_global_atomic_add",
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "global atomic_half a[2];\n"
      "kernel void k(global int *x) { global atomic_half *p = &a[1];\n"
      "  atomic_store(p, 1); atomic_fetch_add(p, 2.5h);\n"
      "  x[0] = atomic_fetch_sub(p, 0.5h) == 3.5h && atomic_load(p) == 3; }" },
    { "__opencl_c_ext_fp16_global_atomic_min_max",
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "global atomic_half a[2];\n"
      "kernel void k(global int *x) { global atomic_half *p = &a[1];\n"
      "  atomic_store(p, 1); atomic_fetch_min(p, -2.5h);\n"
      "  atomic_fetch_min(p, NAN); x[0] = atomic_fetch_max(p, 0.5h) == -2.5h "
      "&&\n"
      "  atomic_fetch_max(p, NAN) == 0.5h && atomic_load(p) == 0.5h; }" },
    { "__opencl_c_ext_fp16_local_atomic_load_store",
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global int *x) { local atomic_half a[2], *p = &a[1];\n"
      "  atomic_store(p, 3); atomic_store(p, atomic_load(p) + 1);\n"
      "  x[0] = atomic_exchange(p, 5) == 4 && atomic_load(p) == 5; }" },
    { "__opencl_c_ext_fp16_local_atomic_add",
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global int *x) { local atomic_half a[2], *p = &a[1];\n"
      "  atomic_store(p, 1); atomic_fetch_add(p, 2.5h);\n"
      "  x[0] = atomic_fetch_sub(p, 0.5h) == 3.5h && atomic_load(p) == 3; }" },
    { "__opencl_c_ext_fp16_local_atomic_min_max",
      "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
      "kernel void k(global int *x) { local atomic_half a[2], *p = &a[1];\n"
      "  atomic_store(p, 1); atomic_fetch_min(p, -2.5h);\n"
      "  atomic_fetch_min(p, NAN); x[0] = atomic_fetch_max(p, 0.5h) == -2.5h "
      "&&\n"
      "  atomic_fetch_max(p, NAN) == 0.5h && atomic_load(p) == 0.5h; }" },
    { "__opencl_c_ext_fp32_global_atomic_add",
      "global atomic_float a;\n"
      "kernel void k(global int *x) { global atomic_float *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_add(p, 2.5f);\n"
      "  x[0] = atomic_fetch_sub(p, 0.5f) == 3.5f && atomic_load(p) == 3; }" },
    { "__opencl_c_ext_fp32_global_atomic_min_max",
      "global atomic_float a;\n"
      "kernel void k(global int *x) { global atomic_float *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_min(p, -2.5f);\n"
      "  atomic_fetch_min(p, NAN); x[0] = atomic_fetch_max(p, 0.5f) == -2.5f "
      "&&\n"
      "  atomic_fetch_max(p, NAN) == 0.5f && atomic_load(p) == 0.5f; }" },
    { "__opencl_c_ext_fp32_local_atomic_add",
      "kernel void k(global int *x) { local atomic_float a, *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_add(p, 2.5f);\n"
      "  x[0] = atomic_fetch_sub(p, 0.5f) == 3.5f && atomic_load(p) == 3; }" },
    { "__opencl_c_ext_fp32_local_atomic_min_max",
      "kernel void k(global int *x) { local atomic_float a, *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_min(p, -2.5f);\n"
      "  atomic_fetch_min(p, NAN); x[0] = atomic_fetch_max(p, 0.5f) == -2.5f "
      "&&\n"
      "  atomic_fetch_max(p, NAN) == 0.5f && atomic_load(p) == 0.5f; }" },
    { "__opencl_c_ext_fp64_global_atomic_add",
      "global atomic_double a;\n"
      "kernel void k(global int *x) { global atomic_double *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_add(p, 2.5f);\n"
      "  x[0] = atomic_fetch_sub(p, 0.5f) == 3.5f && atomic_load(p) == 3; }" },
    { "__opencl_c_ext_fp64_global_atomic_min_max",
      "global atomic_double a;\n"
      "kernel void k(global int *x) { global atomic_double *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_min(p, -2.5f);\n"
      "  atomic_fetch_min(p, NAN); x[0] = atomic_fetch_max(p, 0.5f) == -2.5f "
      "&&\n"
      "  atomic_fetch_max(p, NAN) == 0.5f && atomic_load(p) == 0.5f; }" },
    { "__opencl_c_ext_fp64_local_atomic_add",
      "kernel void k(global int *x) { local atomic_double a, *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_add(p, 2.5f);\n"
      "  x[0] = atomic_fetch_sub(p, 0.5f) == 3.5f && atomic_load(p) == 3; }" },
    { "__opencl_c_ext_fp64_local_atomic_min_max",
      "kernel void k(global int *x) { local atomic_double a, *p = &a;\n"
      "  atomic_init(p, 1); atomic_fetch_min(p, -2.5f);\n"
      "  atomic_fetch_min(p, NAN); x[0] = atomic_fetch_max(p, 0.5f) == -2.5f "
      "&&\n"
      "  atomic_fetch_max(p, NAN) == 0.5f && atomic_load(p) == 0.5f; }" },
    { "cl_khr_integer_dot_product", NULL },
    { "cl_khr_extended_bit_ops",
      "kernel void k(global int *x) { x[0] = 0x3a5; x[0] = bit_reverse(x[0]) "
      "==\n"
      "  0xa5c00000 && bitfield_extract_signed(x[0], 4, 4) == -6 &&\n"
      "  bitfield_extract_unsigned(x[0], 4, 4) == 10 &&\n"
      "  bitfield_insert(x[0], -1, 12, 4) == 0xf3a5; }" },
    { "__opencl_c_integer_dot_product_input_4x8bit",
      "kernel void k(global int *x) { x[0] = -3; char4 a = (char)x[0];\n"
      "  uchar4 b = (uchar)x[0]; x[0] = dot(a, a) == 36 && dot(b, b) == "
      "256036u\n"
      "  && dot(a, b) == -3036 && dot_acc_sat(b, a, INT_MIN) == INT_MIN\n"
      "  && dot_acc_sat(b, b, UINT_MAX) == UINT_MAX; }" },
    { "__opencl_c_integer_dot_product_input_4x8bit_packed",
      "kernel void k(global int *x) { x[0] = 0x0203fffe; uint a = x[0];\n"
      "  x[0] = dot_4x8packed_ss_int(a, a) == 18 &&\n"
      "  dot_4x8packed_us_int(a, a) == 4 + 9 - 255 - 508 &&\n"
      "  dot_acc_sat_4x8packed_ss_int(a, a, INT_MAX) == INT_MAX; }" },
    /* What we have not. */
    { "__opencl_c_device_enqueue", NULL },
    { "__opencl_c_pipes", NULL },
    { "cl_khr_depth_images", NULL },
    { "cl_khr_gl_msaa_sharing", NULL },
    { "cl_khr_mipmap_image", NULL },
};

static cl_name_version listed[128];
static size_t n_listed;

static void
list(struct cl *t, cl_device_info name)
{
    size_t size = 0;
    OK(clGetDeviceInfo(t->device, name, sizeof listed - 64 * n_listed,
                       listed + n_listed, &size));
    n_listed += size / sizeof *listed;
}

static bool
is_listed(const char *name)
{
    for (size_t i = 0; i < n_listed; i++)
        if (!strcmp(listed[i].name, name))
            return true;
    return false;
}

/* Kernels see the macro if the query says so, and then it works. */
static void
check_fact(struct cl *t, const struct fact *f)
{
    char text[2048];
    bool there = is_listed(f->name);
    static const char *const of_hosts[] = {
#define NAME_HOST(text) text,
#define NAME_CLANG(text)
#define NAME_MACRO(text)
#define EXTENSION(name, major, minor, patch, language, devices) \
    NAME_##language(#name)
#include "abi/extension.def"
    };
    bool device = true;
    for (size_t i = 0; i < sizeof of_hosts / sizeof *of_hosts; i++)
        device &= strcmp(f->name, of_hosts[i]) != 0;
    snprintf(text, sizeof text,
             "#if%s %s\n#error it is otherwise\n#endif\n%s\n",
             there && device ? "ndef" : "def", f->name,
             there && f->text ? f->text
                              : "kernel void k(global int *x) { x[0] = 1; }");
    cl_program p = cl_build(t, text, "-cl-std=CL3.0");
    if (!CHECK_EQ(cl_result(t, p), 1))
        printf("  %s\n", f->name);
    OK(clReleaseProgram(p));
}

TEST(extensions_and_features)
{
    enum { N = sizeof facts / sizeof *facts };
    struct cl t = cl_open(0);
    char text[4096] = " ";
    n_listed = 0;
    list(&t, CL_DEVICE_EXTENSIONS_WITH_VERSION);
    OK(clGetDeviceInfo(t.device, CL_DEVICE_EXTENSIONS, sizeof text - 2,
                       text + 1, NULL));
    strcat(text, " ");
    for (size_t i = 0; i < n_listed; i++) {
        char word[CL_NAME_VERSION_MAX_NAME_SIZE + 2];
        snprintf(word, sizeof word, " %s ", listed[i].name);
        CHECK(strstr(text, word) != NULL);
    }
    list(&t, CL_DEVICE_OPENCL_C_FEATURES);
    for (unsigned i = 0; i < N; i++)
        check_fact(&t, &facts[i]);
    for (size_t i = 0; i < n_listed; i++) {
        bool known = false;
        for (unsigned k = 0; k < N; k++)
            known |= !strcmp(facts[k].name, listed[i].name);
        if (!CHECK(known))
            printf("  no test of %s\n", listed[i].name);
    }
    static const char *const entries[] = {
#define ENTRY(name, function) #name,
#include "abi/extension.def"
    };
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        CHECK(clGetExtensionFunctionAddressForPlatform(t.platform,
                                                       entries[i]) != NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(t.platform, "clNone") ==
          NULL);
    cl_close(&t);
}

/* 8-bit vectors and packed ones, which are both mandatory; no instruction computes them. */
TEST(dot_product_queries)
{
    struct cl t = cl_open(0);
    cl_device_integer_dot_product_acceleration_properties_khr none, answer;
    memset(&none, 0, sizeof none);
    CHECK_EQ(ASK_DEVICE(cl_device_integer_dot_product_capabilities_khr,
                        CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR),
             CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                 CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR);
    static const cl_device_info names[] = {
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR
    };
    for (unsigned i = 0; i < 2; i++) {
        memset(&answer, 1, sizeof answer);
        OK(clGetDeviceInfo(t.device, names[i], sizeof answer, &answer, NULL));
        CHECK(memcmp(&answer, &none, sizeof none) == 0);
    }
    cl_close(&t);
}

/* cl_khr_create_command_queue, for clients of OpenCL 1.2, and the hints of priority and
 * throttle, which have three values each. */
TEST(queues_of_extensions)
{
    struct cl t = cl_open(0);
    cl_int code = 1;
    clCreateCommandQueueWithPropertiesKHR_fn create =
        (clCreateCommandQueueWithPropertiesKHR_fn)(uintptr_t)
            clGetExtensionFunctionAddressForPlatform(
                t.platform, "clCreateCommandQueueWithPropertiesKHR");
    static const cl_queue_properties hints[] = { CL_QUEUE_PRIORITY_KHR,
                                                 CL_QUEUE_THROTTLE_KHR };
    for (unsigned i = 0; i < 2; i++)
        for (cl_queue_properties value = 0; value < 9; value++) {
            cl_queue_properties list[5] = { CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_PROFILING_ENABLE, hints[i],
                                            value, 0 };
            cl_queue_properties back[5] = { 0 };
            cl_command_queue q = create(t.context, t.device, list, &code);
            bool known = value == 1 || value == 2 || value == 4;
            CHECK_EQ(code, known ? CL_SUCCESS : CL_INVALID_VALUE);
            CHECK_EQ(q != NULL, known);
            if (!q)
                continue;
            OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof back,
                                     back, NULL));
            CHECK(memcmp(back, list, sizeof list) == 0);
            OK(clReleaseCommandQueue(q));
        }
    CHECK(!create(NULL, t.device, NULL, &code) && code == CL_INVALID_CONTEXT);
    cl_close(&t);
}

/* cl_khr_extended_versioning: what OpenCL 3.0 has, and one query more. */
TEST(extended_versioning)
{
    struct cl t = cl_open(0);
    cl_version_khr version;
    char text[64];
    version =
        ASK_DEVICE(cl_version_khr, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR);
    OK(clGetDeviceInfo(t.device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text,
                       NULL));
    char expected[32];
    snprintf(expected, sizeof expected, "OpenCL C %u.%u ",
             CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
    CHECK(strncmp(text, expected, strlen(expected)) == 0);
    version = ASK_DEVICE(cl_version_khr, CL_DEVICE_NUMERIC_VERSION_KHR);
    CHECK_EQ(version, ASK_DEVICE(cl_version, CL_DEVICE_NUMERIC_VERSION));
    cl_close(&t);
}

/* Scopes that differ are inclusive if each has both work-items, from OpenCL 3.1 on: what is
 * written before a release of the device is seen after an acquire of the work-group, and
 * the other way round.  Warps of a group that wait for each other go on. */
TEST(inclusive_scopes_differ)
{
    static const char text[] =
        "#define SEND(p, s) atomic_store_explicit(p, i + 1, "
        "memory_order_release, s)\n"
        "#define WAIT(p, s) while (atomic_load_explicit(p, "
        "memory_order_acquire, s) != i + 1)\n"
        "kernel void k(global int *x, global atomic_int *flag) {\n"
        "  bool first = get_local_id(0) == 0;\n"
        "  bool last = get_local_id(0) == get_local_size(0) - 1;\n"
        "  if (first || last) for (int i = 0; i < 20; i++) {\n"
        "    if (first) { x[1] = i * 3; SEND(flag, memory_scope_device);\n"
        "      WAIT(flag + 1, memory_scope_device); x[0] += x[2] == i * 5; }\n"
        "    else { WAIT(flag, memory_scope_work_group);\n"
        "      x[2] = x[1] / 3 * 5; SEND(flag + 1, memory_scope_work_group); "
        "}\n"
        "  } }\n";
    struct cl t = cl_open(0);
    static const cl_int zeros[32];
    size_t lanes =
        ASK_DEVICE(size_t, CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
    const size_t items = 2 * lanes;
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m[2];
    for (cl_uint i = 0; i < 2; i++) {
        m[i] = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros);
        OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
    }
    cl_int seen = 0;
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &items, 0, NULL,
                              NULL));
    get(&t, m[0], sizeof seen, &seen);
    CHECK_EQ(seen, 20);
    for (int i = 0; i < 2; i++)
        OK(clReleaseMemObject(m[i]));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* cl_khr_device_uuid: both are of version 8; that of the driver is of no device.  There is
 * no LUID, which only Windows has. */
TEST(device_uuid)
{
    struct cl t = cl_open(0);
    cl_uchar ids[3][CL_UUID_SIZE_KHR], luid[CL_LUID_SIZE_KHR + 1];
    static const cl_device_info names[] = { CL_DEVICE_UUID_KHR,
                                            CL_DRIVER_UUID_KHR,
                                            CL_DEVICE_UUID_KHR };
    size_t size = 0;
    for (unsigned i = 0; i < 3; i++) {
        OK(clGetDeviceInfo(t.device, names[i], sizeof ids[i], ids[i], &size));
        CHECK_EQ(size, CL_UUID_SIZE_KHR);
        CHECK_EQ(ids[i][6] >> 4, 8);
        CHECK_EQ(ids[i][8] >> 6, 2);
    }
    CHECK(memcmp(ids[0], ids[1], sizeof ids[0]) != 0);
    CHECK(memcmp(ids[0], ids[2], sizeof ids[0]) == 0);
    CHECK_EQ(ASK_DEVICE(cl_bool, CL_DEVICE_LUID_VALID_KHR), CL_FALSE);
    CHECK_EQ(ASK_DEVICE(cl_uint, CL_DEVICE_NODE_MASK_KHR), 0);
    OK(clGetDeviceInfo(t.device, CL_DEVICE_LUID_KHR, sizeof luid, luid, &size));
    CHECK_EQ(size, CL_LUID_SIZE_KHR);
    cl_close(&t);
}

/* cl_ext_float_atomics: all operations of the formats that kernels have macros for. */
TEST(float_atomics_queries)
{
    static const cl_device_info names[] = {
        CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT,
        CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT,
        CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT
    };
    static const cl_bitfield expected[] = { 0x70007, 0x70007, 0x70007 };
    struct cl t = cl_open(0);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(ASK_DEVICE(cl_bitfield, names[i]), expected[i]);
    cl_close(&t);
}

/* Sums of small integers are exact in any order; each work-item adds to one of three
 * numbers of both memories, whose extremes are those of its values. */
TEST(float_atomics_of_many)
{
    static const char text[] =
        "kernel void k(global float *s, global float *low, global double "
        "*high)\n"
        "{ local float l; local double d; int i = get_global_id(0);\n"
        "  if (!get_local_id(0)) { l = 0; d = -1; } barrier(1);\n"
        "  float x = i * 7 % 101;\n"
        "  atomic_fetch_add((volatile local atomic_float *)&l, x);\n"
        "  atomic_fetch_max_explicit((volatile local atomic_double *)&d, x,\n"
        "      memory_order_relaxed, memory_scope_work_group); barrier(1);\n"
        "  atomic_fetch_min_explicit((volatile global atomic_float *)\n"
        "      &low[i % 3], -x, memory_order_acq_rel, memory_scope_device);\n"
        "  if (get_local_id(0)) return;\n"
        "  atomic_fetch_add((volatile atomic_float *)s, l);\n"
        "  atomic_fetch_max((volatile global atomic_double *)high, d); }\n";
    enum { N = 480 };
    float sum = 0, low[3] = { 0 }, s, l[3];
    double high = 0, h;
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "k");
    for (int i = 0; i < N; i++) {
        float x = (float)(i * 7 % 101);
        sum += x;
        low[i % 3] = -x < low[i % 3] ? -x : low[i % 3];
        high = (double)x > high ? (double)x : high;
    }
    static const float zeros[4];
    cl_mem m[3];
    static const size_t size[3] = { 4, 12, 8 };
    for (unsigned i = 0; i < 3; i++) {
        m[i] = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, size[i], zeros);
        OK(clSetKernelArg(k, i, sizeof m[i], &m[i]));
    }
    const size_t items = N, local = 96;
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &local, 0, NULL,
                              NULL));
    get(&t, m[0], 4, &s);
    get(&t, m[1], 12, l);
    get(&t, m[2], 8, &h);
    CHECK(s == sum && h == high);
    for (unsigned i = 0; i < 3; i++) {
        CHECK(l[i] == low[i]);
        OK(clReleaseMemObject(m[i]));
    }
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Two halves of a word that work-items of several work-groups change at once, one by sums
 * and one by extremes; no change of one is lost in the other. */
TEST(half_atomics_beside_each_other)
{
    static const char text[] =
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "kernel void k(global half *g)\n"
        "{ local half l[2]; int i = get_global_id(0);\n"
        "  if (!get_local_id(0)) { l[0] = 0; l[1] = -1; } barrier(1);\n"
        "  atomic_fetch_add((volatile local atomic_half *)&l[0], 1.0h);\n"
        "  atomic_fetch_max_explicit((volatile local atomic_half *)&l[1], \n"
        "      (half)i, memory_order_relaxed, memory_scope_work_group);\n"
        "  atomic_fetch_sub((volatile atomic_half *)&g[i & 1], 1.0h);\n"
        "  atomic_fetch_min_explicit((volatile global atomic_half *)&g[2],\n"
        "      (half)-i, memory_order_acq_rel, memory_scope_device);\n"
        "  barrier(1); if (get_local_id(0)) return;\n"
        "  atomic_fetch_add((volatile global atomic_half *)&g[3], l[0]);\n"
        "  atomic_fetch_max((volatile global atomic_half *)&g[4], l[1]); }\n";
    enum { N = 480, LOCAL = 96, SIGN = 0x8000 };
    /* 240 and -480 in the first two words; the sixth half is not changed. */
    const cl_ushort want[6] = { SIGN | 0x5b80, SIGN | 0x5b80, SIGN | 0x5f7c,
                                0x5f80,        0x5f7c,        0x1234 };
    const cl_ushort first[6] = { 0, 0, 0, 0, 0, 0x1234 };
    cl_ushort got[6];
    struct cl t = cl_open(0);
    cl_program p = cl_build(&t, text, "-cl-std=CL3.0");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(&t, CL_MEM_COPY_HOST_PTR, sizeof first, first);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    const size_t items = N, local = LOCAL;
    OK(clEnqueueNDRangeKernel(t.queue, k, 1, NULL, &items, &local, 0, NULL,
                              NULL));
    get(&t, m, sizeof got, got);
    for (unsigned i = 0; i < 6; i++)
        CHECK_EQ(got[i], want[i]);
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

TEST(versions_of_the_language)
{
    struct cl t = cl_open(0);
    n_listed = 0;
    list(&t, CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    CHECK_EQ(n_listed, 5);
    for (size_t i = 0; i < n_listed; i++) {
        unsigned major = CL_VERSION_MAJOR(listed[i].version);
        unsigned minor = CL_VERSION_MINOR(listed[i].version);
        char options[40];
        CHECK_STR(listed[i].name, "OpenCL C");
        snprintf(options, sizeof options, "-cl-std=CL%u.%u -D V=%u%u0", major,
                 minor, major, minor);
        cl_program p = cl_build(&t,
                                "kernel void k(global int *x) {\n"
                                "  x[0] = __OPENCL_C_VERSION__ == V; }\n",
                                options);
        CHECK_EQ(cl_result(&t, p), 1);
        OK(clReleaseProgram(p));
    }
    cl_close(&t);
}

/* The resolution is a step of the times that events have. */
TEST(timer)
{
    struct cl t = cl_open(CL_QUEUE_PROFILING_ENABLE);
    size_t step = ASK_DEVICE(size_t, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    cl_command_queue_properties can =
        ASK_DEVICE(cl_ulong, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
    cl_program p =
        cl_build(&t, "kernel void k(global int *x) { x[0] = 1; }", "");
    cl_kernel k = cl_kernel_of(p, "k");
    cl_mem m = cl_buffer(&t, 0, 4, NULL);
    cl_event e;
    cl_ulong start = 0, end = 0;
    OK(clReleaseCommandQueue(cl_queue(&t, can)));
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueTask(t.queue, k, 0, NULL, &e));
    OK(clFinish(t.queue));
    OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_START, sizeof start,
                               &start, NULL));
    OK(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, sizeof end, &end,
                               NULL));
    CHECK(step && end > start && (end - start) % step == 0);
    OK(clReleaseEvent(e));
    OK(clReleaseMemObject(m));
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(p));
    cl_close(&t);
}

/* Only machines that count cycles have caches; those of configs/chisel.ini. */
TEST(cache)
{
    struct cl t = cl_open(0);
    cl_device_mem_cache_type type =
        ASK_DEVICE(cl_device_mem_cache_type, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE);
    cl_uint line = ASK_DEVICE(cl_uint, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
    cl_ulong size = ASK_DEVICE(cl_ulong, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    char name[64] = "";
    OK(clGetDeviceInfo(t.device, CL_DEVICE_NAME, sizeof name, name, NULL));
    bool chisel = strcmp(name, "Ventus chisel") == 0;
    CHECK_EQ(type, chisel ? CL_READ_WRITE_CACHE : CL_NONE);
    CHECK_EQ(line, chisel ? 128 : 0);
    CHECK_EQ(size, chisel ? 64 * 16 * 128 : 0);
    cl_close(&t);
}

TEST_MAIN
