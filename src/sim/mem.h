/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Physical memory: banks at any 64-bit address, each contiguous on the host.
 * The host system gives pages of a bank when they are first touched, so a bank
 * of gigabytes costs nothing until it is used.
 */
enum { SIM_PAGE = 4096 };

/* Window of local memory: never device memory, see mmu.h. */
#define SIM_LOCAL_BASE UINT64_C(0x70000000)
#define SIM_LOCAL_SIZE UINT64_C(0x10000000)

struct sim_bank {
    uint64_t base, size; /* whole pages */
    uint64_t limit;      /* programs access the first so many bytes */
    uint64_t padded;     /* and up to so many, as padding */
    uint8_t *host;
    unsigned perm;
    bool borrowed;       /* the host's memory is another's */
    atomic_bool written; /* programs have had it for writing */
};

struct sim_mem {
    struct sim_bank *bank; /* by ascending base, never overlapping */
    size_t n, cap;
    struct sim_checkpoint *checkpoint; /* of what programs write; or NULL */
};

/* `host`: where its bytes are already; NULL: nowhere, they are made. */
bool
mem_map(struct sim_mem *m, uint64_t base, uint64_t size, unsigned perm,
        void *host);

bool
mem_unmap(struct sim_mem *m, uint64_t base);

/* Programs access only the first `limit` bytes of the bank at `base`. */
bool
mem_bound(struct sim_mem *m, uint64_t base, uint64_t limit);

/* Maps in `to`, which has nothing, what `from` has, with the same bytes; pages of zeros
 * take no room.  False: no host memory, and some of it is mapped. */
bool
mem_copy(struct sim_mem *to, const struct sim_mem *from);

/* And `padding` bytes after these, which are reported. */
bool
mem_pad(struct sim_mem *m, uint64_t base, uint64_t padding);

void
mem_free(struct sim_mem *m);

/* A program gets the bank of this address, which is mapped, for writing: other
 * threads may say the same of it now. */
void
mem_note_write(const struct sim_mem *m, uint64_t address);

/* Was that said of the bank since the last call? */
bool
mem_take_written(const struct sim_mem *m, uint64_t address);

/* The bank that has this address, or NULL. */
const struct sim_bank *
mem_find(const struct sim_mem *m, uint64_t address);

/*
 * Reads, writes or fills physical memory, also across
 * neighbouring banks; false, and nothing done, if some of it is not mapped.
 */
bool
mem_read(const struct sim_mem *m, uint64_t address, void *to, uint64_t size);

bool
mem_write(struct sim_mem *m, uint64_t address, const void *from, uint64_t size);

bool
mem_fill(struct sim_mem *m, uint64_t address, uint8_t byte, uint64_t size);

/* Zeroed host memory that takes no room until touched; NULL: none left. */
void *
mem_reserve(size_t size);

/* Makes it zero again, and gives it back to the host system. */
void
mem_discard(void *at, size_t size);

void
mem_release(void *at, size_t size);
