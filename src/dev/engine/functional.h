/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/sim.h>

#include "dev/engine/engine.h"

/*
 * functional.c: what the engines `sim` and `model` share.  Memory and values
 * are those of a functional machine, which is by itself or inside of a model.
 */
struct functional {
    struct ventus_sim *sim;
};

bool
functional_map(void *machine, uint64_t address, uint64_t size, unsigned perm);

bool
functional_map_host(void *machine, uint64_t address, uint64_t size,
                    unsigned perm, void *host);

void
functional_bound(void *machine, uint64_t address, uint64_t size,
                 uint64_t padding);

bool
functional_unmap(void *machine, uint64_t address);

bool
functional_read(void *machine, uint64_t address, void *to, uint64_t size);

bool
functional_write(void *machine, uint64_t address, const void *from,
                 uint64_t size);

void *
functional_pointer(void *machine, uint64_t address, uint64_t *size);

/* The entries of struct engine_ops about memory. */
#define FUNCTIONAL_MEMORY                                       \
    .map = functional_map, .bound = functional_bound,           \
    .map_host = functional_map_host, .unmap = functional_unmap, \
    .read = functional_read, .write = functional_write,         \
    .pointer = functional_pointer

/* Translates the driver's terms to <ventus/sim.h>'s, and back. */
struct ventus_sim_config
functional_config(const struct config *config);

void
functional_fault(struct engine_fault *to, const struct ventus_sim_fault *f);
