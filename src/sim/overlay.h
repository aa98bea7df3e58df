/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * An overlay of physical memory: storage of the same size, which a stepper accesses in
 * place of memory (step_divert).  All of an overlay is zero at first, and its pages take
 * host memory when they are first touched; the caller decides what they hold.
 */
struct sim_overlay;
struct sim_mem;

/* The host addresses of a physical address, in memory and in an overlay, with the number
 * of bytes from there to the end of the bank. */
struct sim_place {
    uint64_t size;
    uint8_t *memory, *copy;
};

/* An overlay of the banks that are mapped now.  NULL: no host memory. */
struct sim_overlay *
overlay_create(const struct sim_mem *mem);

void
overlay_destroy(struct sim_overlay *o);

/* False: there is no memory at the address. */
bool
overlay_find(const struct sim_overlay *o, uint64_t physical,
             struct sim_place *place);

/*
 * Saves the page of a byte in the checkpoint, if there is one; called before memory
 * itself is written.  False: the page could not be saved, nothing may be written.
 */
bool
overlay_before_write(const struct sim_overlay *o, uint8_t *memory);

/* The byte of memory that a byte of the overlay stands for; NULL: `copy` is in no
 * overlay. */
uint8_t *
overlay_origin(const struct sim_overlay *o, const uint8_t *copy);
