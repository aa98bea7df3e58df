/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Gives a module of SPIR-V's translator the form of clang's: the target, types of images,
 * samplers and events, attributes.  False with an error: it has what kernels cannot
 * have. */
bool
front_spirv_adapt(struct front_build *b);

/* Removes the conversions of images and samplers that front_spirv_adapt has put in, after
 * inlining; an error where a parameter of a kernel is not what is used. */
void
front_join_handles(struct front_build *b);
