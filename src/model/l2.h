/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/l1d.h"

struct l2_mshr {
    bool ask, filled, write_tags;
    bool get, mixed; /* of who made it; mixed: others came, too */
    uint64_t ask_at, fill_at;
    uint32_t line;
    struct mem_request list[16];
    unsigned n;
};

struct l2 {
    struct l2_mshr *mshr;
    uint64_t valid, valid_before; /* bits of its MSHRs */
    unsigned mshrs, listed, puts;
    unsigned listed_before, puts_before; /* when the cycle began */
    unsigned last;                       /* MSHR that had its turn */
    struct fifo in, hits, writes;
    struct mem_request in_at[FIFO_MAX], hit_at[FIFO_MAX];
    uint32_t write_line[FIFO_MAX];
    bool looked; /* a request reads the directory */
    struct mem_request look;
    uint64_t look_at, dir_written;
    uint32_t dir_line, seen_set; /* written then; of the last request seen */
    bool answering, answer_sent, answer_written, answer_from_memory;
    uint64_t answer_at, free_at;
    struct mem_request answer;
    bool flushing;
    uint64_t flushed_at;
    struct mem_request flush;
    struct set_assoc lines;
};

void
l2_cycle(struct model *m);

bool
l2_is_idle(const struct l2 *l);

/* Before this cycle an SM has no answer of it; UINT64_MAX: it asked nothing. */
uint64_t
l2_answers(const struct model *m, unsigned sm);

/* When it can do something again; no later, if it is not known. */
uint64_t
l2_next(const struct model *m);
