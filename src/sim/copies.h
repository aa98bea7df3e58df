/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * A copy of physical memory, which a stepper accesses in place of it (step_divert).
 * The caller decides what is in it: it starts as zero, and a page of it takes host
 * memory when it is first touched.
 */
struct sim_copies;
struct sim_mem;

/* Where a physical address is, and `size` bytes from it on: in memory, in the copy. */
struct sim_place {
    uint64_t size;
    uint8_t *memory, *copy;
};

/* Of the banks that are mapped now.  NULL: no host memory. */
struct sim_copies *
copies_create(const struct sim_mem *mem);

void
copies_destroy(struct sim_copies *c);

/* False: there is no memory at the address. */
bool
copies_find(const struct sim_copies *c, uint64_t physical,
            struct sim_place *place);

/*
 * Call it before memory itself is written, in the page of this byte: a checkpoint
 * copies the page.  False: it could not, nothing may be written.
 */
bool
copies_before_write(const struct sim_copies *c, uint8_t *memory);

/* The byte of memory that a byte of the copy is of; NULL: it is in no copy. */
uint8_t *
copies_origin(const struct sim_copies *c, const uint8_t *copy);
