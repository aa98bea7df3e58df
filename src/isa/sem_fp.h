/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The results of the floating-point rows of ventus.isa: a function for each name
 * in the column MEANING and each width, sem_fadd_16, sem_fadd_32, sem_fadd_64.
 *
 *     d = sem_fadd_32(vs2[i], vs1[i], rm, &fflags);
 *
 * Operands come in the order of the scalar form, rs1 rs2 rs3.  A vector form
 * has vs2[i] for rs1, and vs1[i], or the scalar register, for rs2; fsub is
 * vs2 - vs1.  The accumulating ones (vfmadd ... vfnmsac) take vs1, vs2, vd.
 *
 * All functions with the same number of operands have the same type, so that one
 * loop over lanes can call any of them.  Parameters are the operands, rm (enum
 * fp_rm; the caller resolves dyn) and the flags to add to (enum fp_flag).
 * Compares return 0 or 1, fclass enum fp_class.  Integers of a conversion are as
 * wide as the floating-point number: int16_t at SEW 16, int64_t in a register pair.
 */
#pragma once

#include "isa/softfloat.h"

#define SEM_GLUE_(name, width) sem_##name##_##width
#define SEM_GLUE(name, width)  SEM_GLUE_(name, width)
#define SEM(name)              SEM_GLUE(name, FP_WIDTH)

#define FP_WIDTH 16
#include "isa/sem_fp_width.h"
#define FP_WIDTH 32
#include "isa/sem_fp_width.h"
#define FP_WIDTH 64
#include "isa/sem_fp_width.h"
