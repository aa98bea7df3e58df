/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/memory/set_assoc.h"
#include "sim/overlay.h"
#include "sim/step.h"

enum {
    L1D_DATA_USED = STEP_WORDS_MAX,
    L1D_DATA_PAGES = 8,
    L1D_DATA_WRITTEN = 64
};

/* The data of a way, whose tag is physical address / line_B; value_age.h has the ages. */
struct l1d_data_line {
    bool used;                /* by the access that is being done: it stays */
    uint64_t filled, depends; /* age of the line; of what was stored into it */
    uint8_t *written;         /* a bit for each byte */
};

/* Physical memory that is contiguous on the host; size 0: none. */
struct l1d_data_bank {
    uint64_t from;
    struct sim_place place;
};

/* Accesses to memory itself, which other SMs may see: bytes that were read or written
 * there. */
struct l1d_data_port {
    void (*accessed)(void *ctx, const uint8_t *host, size_t n, bool write);
    void *ctx; /* accessed: or NULL */
};

/* Consecutive bytes of memory of which the listener has still to be told. */
struct l1d_data_run {
    const uint8_t *host;
    size_t n;
    bool write;
};

struct l1d_data_page {
    bool known;
    uint64_t page, physical; /* number; address */
};

/* Consecutive words of an access that pass the L1D: physical address, bytes. */
struct l1d_data_row {
    uint64_t at;
    size_t n;
    bool reads;
};

/* State of one run. */
struct l1d_data_state {
    uint64_t root; /* root of the page tables; 0: none */
    bool compares; /* is looked whether something changes? */
    bool changed;  /* others, or this SM, may see another value than before */
    /* The access that is being done: physical addresses, or UINT64_MAX. */
    struct step_access access;
    uint64_t address; /* age of its address, */
    uint64_t read;    /* and of what it reads */
    bool local;       /* some of its words are no memory of all, */
    bool outside;     /* and these no local memory */
    bool writes;
    struct l1d_data_row passing;
    struct l1d_data_run run;
    /* The last line whose words are all memory: of addresses, and where it is. */
    bool found;
    uint64_t found_line, found_at;
    struct l1d_data_page page[2][L1D_DATA_PAGES]; /* to load, to store */
    struct l1d_data_bank bank; /* the last one accessed: banks stay for a run */
    uint8_t *written[L1D_DATA_WRITTEN]; /* pages that a checkpoint has */
    struct way *used[L1D_DATA_USED];
    unsigned uses;
};

/* The values that the L1D of an SM holds, of its own (coherence = rcc). */
struct l1d_data {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct l1d_data_port port;
    struct ventus_sim *sim;     /* whose memory is what the L2 has */
    struct sim_overlay *copies; /* what the SM accesses in a launch */
    unsigned line_shift;
    uint8_t *bytes;             /* written, of all lines */
    struct set_assoc lines;     /* persists between launches */
    struct l1d_data_line *line; /* by index of the way */
    uint64_t clock;
    struct l1d_data_state state;
};

/* How an instruction accesses memory. */
struct l1d_data_kind {
    bool write, atomic;
    uint8_t hint; /* enum ventus_isa_hint */
};

/* False: no host memory. */
bool
l1d_data_create(struct l1d_data *x, const struct ventus_model_config *config,
                struct ventus_model_stats *stats, struct ventus_sim *sim,
                unsigned sm, struct l1d_data_port port);

void
l1d_data_destroy(struct l1d_data *x);

/* A launch begins, whose page tables are at `root`; and it ends, all lines are
 * invalid.  False: no host memory. */
bool
l1d_data_open(struct l1d_data *x, uint64_t root);

void
l1d_data_close(struct l1d_data *x);

/* The copies of memory that a stepper accesses during the launch. */
static inline const struct sim_overlay *
l1d_data_copies(const struct l1d_data *x)
{
    return x->copies;
}

/* Checkpoints: what persists between launches, besides the struct. */
static inline void
l1d_data_checkpoint(const struct l1d_data *x, struct set_assoc *to)
{
    set_assoc_copy(to, &x->lines);
}

static inline void
l1d_data_restore(struct l1d_data *x, const struct set_assoc *from)
{
    set_assoc_copy(&x->lines, from);
}

/* An instruction begins: where its accesses go, addresses of the program. */
struct step_access *
l1d_data_begin(struct l1d_data *x);

/* Are they all in local memory?  Before l1d_data_before. */
bool
l1d_data_is_local(const struct l1d_data *x);

/* All accesses are to local memory, which is the workgroup's own and has no copy.
 * Called instead of l1d_data_before. */
void
l1d_data_pass(struct l1d_data *x);

/*
 * Before a step: the copies get what the SM sees of these words; address: the age of
 * the address.  After it: the age of what was read, and whether some of it is local
 * memory.
 */
void
l1d_data_before(struct l1d_data *x, const struct l1d_data_kind *kind,
                uint64_t address);

void
l1d_data_after(struct l1d_data *x);

/* Does the step access what is neither local memory nor in the copies? */
static inline bool
l1d_data_is_outside(const struct l1d_data *x)
{
    return x->state.outside;
}

uint64_t
l1d_data_age(const struct l1d_data *x, bool *local);

/* Writes dirty lines back; and invalidates all. */
void
l1d_data_flush(struct l1d_data *x);

void
l1d_data_invalidate(struct l1d_data *x);

/* From now on it is looked whether values change, or not any more. */
static inline void
l1d_data_compare(struct l1d_data *x, bool on)
{
    x->state.compares = on;
}

/* Has a value changed since the last call? */
static inline bool
l1d_data_take_changed(struct l1d_data *x)
{
    bool changed = x->state.changed;
    x->state.changed = false;
    return changed;
}
