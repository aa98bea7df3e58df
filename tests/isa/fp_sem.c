/* SPDX-License-Identifier: Apache-2.0 */
/* Operand order and signs of sem_fp.h, with small integers done by hand. */
#include "isa/sem_fp.h"
#include "test.h"

#define FP_WIDTH 16
#include "fp_sem_width.h"
#define FP_WIDTH 32
#include "fp_sem_width.h"
#define FP_WIDTH 64
#include "fp_sem_width.h"

TEST(arithmetic)
{
    fp16_check_arithmetic();
    fp32_check_arithmetic();
    fp64_check_arithmetic();
}

TEST(fused)
{
    fp16_check_fused();
    fp32_check_fused();
    fp64_check_fused();
}

TEST(compares_and_signs)
{
    fp16_check_compares();
    fp32_check_compares();
    fp64_check_compares();
}

TEST(conversions_have_the_width_of_the_number)
{
    fp16_check_conversions();
    fp32_check_conversions();
    fp64_check_conversions();
}

TEST(exp_ignores_mode_and_flags)
{
    unsigned flags = 0;
    CHECK_EQ(sem_vfexp_32(0x3f800000, FP_RUP, &flags), 0x402df854);
    CHECK_EQ(sem_vfexp_32(0x7f800001, FP_RNE, &flags), 0x7fc00000);
    CHECK_EQ(sem_vfexp_32(0x42c80000, FP_RTZ, &flags), 0x7f800000);
    CHECK_EQ(sem_vfexp_16(0x3c00, FP_RUP, &flags), 0x4170);
    CHECK_EQ(sem_vfexp_64(0x3ff0000000000000, FP_RDN, &flags),
             0x4005bf0a8b145769);
    CHECK_EQ(flags, 0);
}

TEST(example_in_softfloat_h)
{
    unsigned flags = 0;
    CHECK_EQ(fp32_add(0x3f800000, 0x33800000, FP_RNE, &flags), 0x3f800000);
    CHECK_EQ(flags, FP_NX);
}

TEST_MAIN
