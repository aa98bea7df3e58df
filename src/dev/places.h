/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "dev/device.h"

/* Finds the source line of a pc for a profile; ctx is the program. */
bool
program_place(void *ctx, struct arena *a, uint64_t pc,
              struct profile_place *place);
