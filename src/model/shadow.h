/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/set_assoc.h"
#include "sim/step.h"

enum { SHADOW_SWAPS = STEP_WORDS_MAX, SHADOW_PAGES = 8 };

/* Of a way, whose tag is physical address / line_B.  Ages: depend.h. */
struct shadow_line {
    bool swapped;
    uint64_t filled, depends; /* age of the line; of what was stored into it */
    uint8_t *data, *written;  /* written: of each byte */
};

/* Physical memory that is contiguous on the host; size 0: none. */
struct shadow_bank {
    uint64_t from, size;
    uint8_t *host;
};

struct shadow_page {
    bool known;
    uint64_t page, physical; /* number; address */
};

/* State of one run. */
struct shadow_state {
    uint64_t root; /* of the page tables; 0: none */
    bool changed;  /* others, or this SM, may see another value than before */
    /* The access that is being done: physical addresses, or UINT64_MAX. */
    struct step_access access;
    uint64_t address; /* age of its address, */
    uint64_t read;    /* and of what it reads */
    bool local;       /* some of its words are no memory of all */
    /* The last line whose words are all memory: of addresses, and where it is. */
    bool found;
    uint64_t found_line, found_at;
    struct shadow_page page[2][SHADOW_PAGES]; /* to load, to store */
    struct shadow_bank bank; /* that was accessed last: banks stay for a run */
    struct way *swap[SHADOW_SWAPS];
    unsigned swaps;
};

/* The values that the L1D of an SM holds, of its own (coherence = rcc). */
struct shadow {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct ventus_sim *sim; /* whose memory is what the L2 has */
    unsigned line_shift;
    uint8_t *bytes,
        *saved; /* of all lines; of memory, while lines are swapped */
    struct set_assoc lines;   /* persists between launches */
    struct shadow_line *line; /* by index of the way */
    uint64_t clock;
    struct shadow_state state;
};

/* How an instruction accesses memory. */
struct shadow_kind {
    bool write, atomic;
    uint8_t hint; /* enum ventus_isa_hint */
};

/* False: no host memory. */
bool
shadow_create(struct shadow *x, const struct ventus_model_config *config,
              struct ventus_model_stats *stats, struct ventus_sim *sim,
              unsigned sm);

void
shadow_destroy(struct shadow *x);

/* A launch begins, whose page tables are at `root`. */
void
shadow_reset(struct shadow *x, uint64_t root);

/* An instruction begins: where its accesses go, addresses of the program. */
struct step_access *
shadow_begin(struct shadow *x);

/* Are they all in local memory?  Before shadow_before. */
bool
shadow_is_local(const struct shadow *x);

/* They are: local memory is the workgroup's own, and nothing is put in its place.
 * Instead of shadow_before. */
void
shadow_pass(struct shadow *x);

/*
 * Around a step: memory has what the SM sees of these words.  address: how young the
 * address is.  Behind it, how young what was read is; is some of it local memory?
 */
void
shadow_before(struct shadow *x, const struct shadow_kind *kind,
              uint64_t address);

void
shadow_after(struct shadow *x, bool write);

uint64_t
shadow_age(const struct shadow *x, bool *local);

/* Writes dirty lines back; and invalidates all. */
void
shadow_flush(struct shadow *x);

void
shadow_invalidate(struct shadow *x);

/* Has a value changed since the last call? */
bool
shadow_take_changed(struct shadow *x);
