/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of a device; the turn must be held. */
#pragma once

#include "dev/device.h"

/* Narrow: at an address of 32 bits, for what launches use. */
uint64_t
memory_alloc(struct ventus_dev_context *c, uint64_t size, unsigned flags,
             bool narrow);

/*
 * The same at an address where kernels reach it, for what was recorded there:
 * `room` bytes, whole pages, of which `asked` may be used.
 */
bool
memory_place(struct ventus_dev_context *c, uint64_t address, uint64_t room,
             uint64_t asked, unsigned flags);

void
memory_free(struct ventus_dev *d, struct space_range *range);

bool
memory_write(struct ventus_dev *d, uint64_t address, const void *from,
             uint64_t size);

/*
 * For a launch in the context: exactly so large for programs.  Its contents
 * are lost if it grows.
 */
bool
scratch_use(struct ventus_dev_context *c, struct scratch *s, uint64_t size);
