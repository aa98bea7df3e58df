/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DRAM (memory = dram): channels with a data bus each, banks with a row open.
 *
 * Neighbouring lines are in neighbouring channels; in a channel they fill a row
 * of a bank, then the same row of the next bank.  Times are cycles of ours:
 *
 *     row open      column command ........... tCAS ... data, tBurst
 *     no row open   tRCD, column command ..... tCAS ... data, tBurst
 *     another row   tRP, tRCD, column command  tCAS ... data, tBurst
 *
 * A bank takes its next command tBurst behind its column command; a channel
 * starts one request a cycle.  fr_fcfs starts the oldest that meets its row
 * open, or else the oldest; in_order always the oldest.  Both pass over banks
 * that are not ready, in_order waits for them.  There is no refresh.
 */
#include "model/machine.h"

struct place {
    unsigned channel, bank;
    uint32_t row;
};

static struct place
place_of(const struct model *m, uint32_t line)
{
    const struct model_config *c = &m->config;
    uint32_t in_row = c->dram_row_B / c->l2.line_B;
    uint32_t piece = line / c->dram_channels / in_row;
    return (struct place){ line % c->dram_channels, piece % c->dram_banks,
                           piece / c->dram_banks };
}

static struct dram_bank *
bank_of(struct model *m, struct place p)
{
    return &m->dram.bank[p.channel * m->config.dram_banks + p.bank];
}

/* The request that a channel starts now, of those that wait; or NEVER. */
static int
choose(struct model *m, unsigned channel)
{
    const struct memory *y = &m->memory;
    int oldest = NEVER;
    for (unsigned i = 0; i < y->n; i++) {
        struct place p = place_of(m, y->at[i].line);
        if (y->at[i].due != UINT64_MAX || p.channel != channel)
            continue;
        const struct dram_bank *b = bank_of(m, p);
        bool ready = b->ready_at <= m->now;
        if (m->config.dram_in_order)
            return ready ? (int)i : NEVER;
        if (ready && b->open && b->row == p.row)
            return (int)i;
        if (ready && oldest < 0)
            oldest = (int)i;
    }
    return oldest;
}

static void
start(struct model *m, struct memory_request *r)
{
    const struct model_config *c = &m->config;
    struct place p = place_of(m, r->line);
    struct dram_bank *b = bank_of(m, p);
    uint64_t *bus = &m->dram.bus_free[p.channel];
    bool hit = b->open && b->row == p.row;
    uint64_t column = m->now;
    if (!hit)
        column += c->dram_trcd + (b->open ? c->dram_trp : 0);
    uint64_t data = column + c->dram_tcas;
    if (data < *bus) { /* the command waits until the bus is free for it */
        column += *bus - data;
        data = *bus;
    }
    *b = (struct dram_bank){ true, p.row, column + c->dram_tburst };
    *bus = r->due = data + c->dram_tburst;
    m->stats.dram_bus_busy += c->dram_tburst;
    *(hit ? &m->stats.row_hits : &m->stats.row_misses) += 1;
}

void
dram_cycle(struct model *m)
{
    for (unsigned i = 0; i < m->config.dram_channels; i++) {
        int chosen = choose(m, i);
        if (chosen >= 0)
            start(m, &m->memory.at[chosen]);
    }
}
