/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/set_assoc.h"
#include "sim/copies.h"
#include "sim/step.h"

enum { SHADOW_USED = STEP_WORDS_MAX, SHADOW_PAGES = 8, SHADOW_WRITTEN = 64 };

/* Of a way, whose tag is physical address / line_B.  Ages: depend.h. */
struct shadow_line {
    bool used;                /* by the access that is being done: it stays */
    uint64_t filled, depends; /* age of the line; of what was stored into it */
    uint8_t *written;         /* of each byte */
};

/* Physical memory that is contiguous on the host; size 0: none. */
struct shadow_bank {
    uint64_t from;
    struct sim_place place;
};

/* Accesses to memory itself, which other SMs may see: bytes that were read or written
 * there. */
struct shadow_port {
    void (*accessed)(void *ctx, const uint8_t *host, size_t n, bool write);
    void *ctx; /* accessed: or NULL */
};

/* Bytes of memory behind each other that have still to be told. */
struct shadow_run {
    const uint8_t *host;
    size_t n;
    bool write;
};

struct shadow_page {
    bool known;
    uint64_t page, physical; /* number; address */
};

/* Words of an access that go past the L1D, one behind the other: physical address,
 * bytes. */
struct shadow_row {
    uint64_t at;
    size_t n;
    bool reads;
};

/* State of one run. */
struct shadow_state {
    uint64_t root; /* of the page tables; 0: none */
    bool compares; /* is looked whether something changes? */
    bool changed;  /* others, or this SM, may see another value than before */
    /* The access that is being done: physical addresses, or UINT64_MAX. */
    struct step_access access;
    uint64_t address; /* age of its address, */
    uint64_t read;    /* and of what it reads */
    bool local;       /* some of its words are no memory of all, */
    bool outside;     /* and these no local memory */
    bool writes;
    struct shadow_row passing;
    struct shadow_run run;
    /* The last line whose words are all memory: of addresses, and where it is. */
    bool found;
    uint64_t found_line, found_at;
    struct shadow_page page[2][SHADOW_PAGES]; /* to load, to store */
    struct shadow_bank bank; /* that was accessed last: banks stay for a run */
    uint8_t *written[SHADOW_WRITTEN]; /* pages that a checkpoint has */
    struct way *used[SHADOW_USED];
    unsigned uses;
};

/* The values that the L1D of an SM holds, of its own (coherence = rcc). */
struct shadow {
    const struct ventus_model_config *config;
    struct ventus_model_stats *stats;
    struct shadow_port port;
    struct ventus_sim *sim;    /* whose memory is what the L2 has */
    struct sim_copies *copies; /* of it, that the SM accesses; in a launch */
    unsigned line_shift;
    uint8_t *bytes;           /* written, of all lines */
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
              unsigned sm, struct shadow_port port);

void
shadow_destroy(struct shadow *x);

/* A launch begins, whose page tables are at `root`; and it ends, all lines are
 * invalid.  False: no host memory. */
bool
shadow_open(struct shadow *x, uint64_t root);

void
shadow_close(struct shadow *x);

/* What a stepper has to access, while the launch goes on. */
static inline const struct sim_copies *
shadow_copies(const struct shadow *x)
{
    return x->copies;
}

/* Checkpoints: what persists between launches, besides the struct. */
static inline void
shadow_checkpoint(const struct shadow *x, struct set_assoc *to)
{
    set_assoc_copy(to, &x->lines);
}

static inline void
shadow_restore(struct shadow *x, const struct set_assoc *from)
{
    set_assoc_copy(&x->lines, from);
}

/* An instruction begins: where its accesses go, addresses of the program. */
struct step_access *
shadow_begin(struct shadow *x);

/* Are they all in local memory?  Before shadow_before. */
bool
shadow_is_local(const struct shadow *x);

/* They are: local memory is the workgroup's own, and there is no copy of it.
 * Instead of shadow_before. */
void
shadow_pass(struct shadow *x);

/*
 * Around a step: the copies have what the SM sees of these words.  address: how young
 * the address is.  Behind it, how young what was read is; is some of it local memory?
 */
void
shadow_before(struct shadow *x, const struct shadow_kind *kind,
              uint64_t address);

void
shadow_after(struct shadow *x);

/* Does the step access what is neither local memory nor in the copies? */
static inline bool
shadow_is_outside(const struct shadow *x)
{
    return x->state.outside;
}

uint64_t
shadow_age(const struct shadow *x, bool *local);

/* Writes dirty lines back; and invalidates all. */
void
shadow_flush(struct shadow *x);

void
shadow_invalidate(struct shadow *x);

/* From now on it is looked whether values change, or not any more. */
static inline void
shadow_compare(struct shadow *x, bool on)
{
    x->state.compares = on;
}

/* Has a value changed since the last call? */
static inline bool
shadow_take_changed(struct shadow *x)
{
    bool changed = x->state.changed;
    x->state.changed = false;
    return changed;
}
