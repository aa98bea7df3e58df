/* SPDX-License-Identifier: Apache-2.0 */
/* Integer functions that libclc lacks. */
#include "ventus.h"

#define MAD_HI(T)                \
    PURE T mad_hi(T a, T b, T c) \
    {                            \
        return mul_hi(a, b) + c; \
    }

#define ALL_MAD_HI(T) FOR_WIDTHS(MAD_HI, T)
FOR_INTEGERS(ALL_MAD_HI)
