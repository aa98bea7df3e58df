/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations of a device; the machine's lock must be held. */
#pragma once

#include "dev/device.h"

/* Narrow: at an address of 32 bits, for what launches use. */
uint64_t
memory_alloc(struct ventus_dev_context *c, uint64_t size, unsigned flags,
             bool narrow);

/*
 * Allocates at an address that kernels reach, for memory of a recording: `capacity`
 * bytes, whole pages, of which `asked` may be used.
 */
bool
memory_alloc_at(struct ventus_dev_context *c, uint64_t address,
                uint64_t capacity, uint64_t asked, unsigned flags);

void
memory_free(struct ventus_dev *d, struct space_range *range);

bool
memory_write(struct ventus_dev *d, uint64_t address, const void *from,
             uint64_t size);

/*
 * Provides memory for a launch in the context, of which programs may access exactly
 * `size` bytes.  Its contents are lost if it grows.
 */
bool
scratch_use(struct ventus_dev_context *c, struct scratch *s, uint64_t size);
