/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/*
 * Chooses the size of the sub-groups of a kernel that calls functions of cl_intel_subgroups,
 * has a required work-group size of several rows of 8 or 16 work-items, and requires no size:
 * a row, as if it required that.  Such kernels take for granted what compilers for machines
 * with vectors of 8 and 16 lanes choose.  Before the library is linked.
 */
void
front_choose_sub_groups(struct front_build *b);
