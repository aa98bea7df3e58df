/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "isa/hosthalf.h"
#include "sim/fp.h"
#include "sim/lane_loop.h"

/* Floating-point operations of lane loops, which are those of the FPU of the host, in
 * the rounding mode of the warp or, for some conversions, towards zero. */
static always_inline struct fp_host *
host_of(const struct sim_warp *w, bool towards_zero)
{
    fp_host_set_rm(w->fp, towards_zero ? FP_RTZ : (enum fp_rm)w->frm);
    return w->fp;
}
