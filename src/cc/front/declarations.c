/* SPDX-License-Identifier: Apache-2.0 */
#include "cc/front/declarations.h"

/* clang-format off */
#define INTEL_SUB_GROUPS \
    "#ifdef cl_intel_subgroups\n" \
    "#define __S(T) __F T intel_sub_group_shuffle(T, uint);\\\n" \
    "__F T intel_sub_group_shuffle_xor(T, uint);\\\n" \
    "__F T intel_sub_group_shuffle_down(T, T, uint);\\\n" \
    "__F T intel_sub_group_shuffle_up(T, T, uint);\n" \
    "#define __V(T) __S(T) __S(T##2) __S(T##3) __S(T##4) __S(T##8) __S(T##16)\n" \
    "__V(int) __V(uint) __V(float) __S(long) __S(ulong)\n" \
    "#ifdef cl_khr_fp16\n" \
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" \
    "__S(half)\n" \
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n#endif\n" \
    "#ifdef cl_khr_fp64\n__S(double)\n#endif\n" \
    "#define __I(N, R, W) \\\n" \
    "__F uint##N intel_sub_group_block_read##N(R image2d_t, int2);\\\n" \
    "__F void intel_sub_group_block_write##N(W image2d_t, int2, uint##N);\n" \
    "#define __B(N) __I(N, read_only, write_only)\\\n" \
    "__F uint##N intel_sub_group_block_read##N(const __global uint *);\\\n" \
    "__F void intel_sub_group_block_write##N(__global uint *, uint##N);\n" \
    "__B() __B(2) __B(4) __B(8)\n" \
    "#ifdef __opencl_c_read_write_images\n" \
    "#define __R(N) __I(N, read_write, read_write)\n" \
    "__R() __R(2) __R(4) __R(8)\n#undef __R\n#endif\n" \
    "#undef __S\n#undef __V\n#undef __B\n#undef __I\n#endif\n"

#define UNIFORM_ARITHMETIC \
    "#ifdef cl_khr_work_group_uniform_arithmetic\n" \
    "#define __W(T, N) __F T work_group_reduce_##N(T);\\\n" \
    "__F T work_group_scan_inclusive_##N(T);\\\n" \
    "__F T work_group_scan_exclusive_##N(T);\n" \
    "#define __I(T) __W(T, mul) __W(T, and) __W(T, or) __W(T, xor)\n" \
    "__I(int) __I(uint) __I(long) __I(ulong) __W(float, mul)\n" \
    "#ifdef cl_khr_fp16\n" \
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" \
    "__W(half, mul)\n" \
    "#pragma OPENCL EXTENSION cl_khr_fp16 : disable\n#endif\n" \
    "#ifdef cl_khr_fp64\n__W(double, mul)\n#endif\n" \
    "__W(int, logical_and) __W(int, logical_or) __W(int, logical_xor)\n" \
    "#undef __W\n#undef __I\n#endif\n"

/* clang-format on */
const char front_declarations[] =
    "#pragma clang diagnostic push\n"
    "#pragma clang diagnostic ignored \"-Weverything\"\n"
    "#define __F __attribute__((overloadable, convergent))\n" INTEL_SUB_GROUPS
        UNIFORM_ARITHMETIC "#undef __F\n"
    "#pragma clang diagnostic pop\n";
