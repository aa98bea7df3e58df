/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Metadata of a load or store that stays inside its variable if the checks that clang
 * inserts find nothing. */
#define INSIDE_METADATA "ventus.inside"

/* Adds INSIDE_METADATA to the loads and stores of a module that clang compiled with
 * -fcheck-bounds. */
void
front_mark_inside(struct front_build *b);
