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
    bool borrowed; /* the host's memory is another's */
    _Atomic uint64_t
        *marks; /* a bit of each MARK_B bytes, set when programs get them for
                                writing; another's; or NULL */
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
 * take no memory.  False: no host memory, and some of it is mapped. */
bool
mem_copy(struct sim_mem *to, const struct sim_mem *from);

/* And `padding` bytes after these, which are reported. */
bool
mem_pad(struct sim_mem *m, uint64_t base, uint64_t padding);

void
mem_free(struct sim_mem *m);

/* The bank at `base` has these marks from now on (VENTUS_SIM_MARK_B); NULL: none. */
bool
mem_set_marks(struct sim_mem *m, uint64_t base, uint64_t *marks);

/* Marks the piece with byte `at` of a bank that has marks, and finds marked pieces around it,
 * [*from, *to): other threads may mark others at the same time. */
void
mem_mark(const struct sim_bank *b, uint64_t at, uint64_t *from, uint64_t *to);

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

/* Zeroed host memory that takes no pages until touched; NULL: none left. */
void *
mem_reserve(size_t size);

/* Makes it zero again, and gives it back to the host system. */
void
mem_discard(void *at, size_t size);

void
mem_release(void *at, size_t size);
