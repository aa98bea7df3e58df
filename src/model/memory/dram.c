/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DRAM (memory = dram): channels with a data bus each, banks with an open row.
 *
 * Neighbouring lines are in neighbouring channels; in a channel they fill a row
 * of a bank, then the same row of the next bank.  Times are cycles of the machine:
 *
 *     row open      column command ........... tCAS ... data, tBurst
 *     no row open   tRCD, column command ..... tCAS ... data, tBurst
 *     another row   tRP, tRCD, column command  tCAS ... data, tBurst
 *
 * A bank takes its next command tBurst after its column command; a channel
 * starts one request a cycle.  fr_fcfs starts the oldest request whose row is
 * open, otherwise the oldest one, and skips banks that are not ready.  in_order
 * starts the oldest request and waits for its bank.  There is no refresh.
 */
#include "model/memory/dram.h"

#include "base/debug_assert.h"
#include "model/bits.h"

struct place {
    unsigned channel, bank;
    uint64_t row;
};

static struct place
place_of(const struct ventus_model_config *c, uint64_t line)
{
    uint32_t in_row = c->dram_row_B / c->l2.line_B;
    uint64_t piece = line / c->dram_channels / in_row;
    return (struct place){ (unsigned)(line % c->dram_channels),
                           (unsigned)(piece % c->dram_banks),
                           piece / c->dram_banks };
}

static struct dram_bank *
bank_of(struct dram *d, struct place p)
{
    debug_assert(p.channel < d->config->dram_channels);
    return &d->state.bank[p.channel * d->config->dram_banks + p.bank];
}

/* The request that a channel starts now, of those that wait; or NEVER. */
static int
choose_request(struct dram *d, unsigned channel,
               const struct memory_request *list, unsigned n, uint64_t now)
{
    int oldest = NEVER;
    for (unsigned i = 0; i < n; i++) {
        struct place p = place_of(d->config, list[i].line);
        if (list[i].due != UINT64_MAX || p.channel != channel)
            continue;
        const struct dram_bank *b = bank_of(d, p);
        bool ready = b->ready_at <= now;
        if (d->config->dram_in_order)
            return ready ? (int)i : NEVER;
        if (ready && b->open && b->row == p.row)
            return (int)i;
        if (ready && oldest < 0)
            oldest = (int)i;
    }
    return oldest;
}

static void
start_request(struct dram *d, struct memory_request *r, uint64_t now)
{
    const struct ventus_model_config *c = d->config;
    struct place p = place_of(c, r->line);
    struct dram_bank *b = bank_of(d, p);
    uint64_t *bus = &d->state.bus_free[p.channel];
    bool hit = b->open && b->row == p.row;
    uint64_t column = now;
    debug_assert(b->ready_at <= now && "a bank that is busy is not chosen");
    if (!hit)
        column += c->dram_trcd + (b->open ? c->dram_trp : 0);
    uint64_t data = column + c->dram_tcas;
    if (data < *bus) { /* the command waits until the bus is free for it */
        column += *bus - data;
        data = *bus;
    }
    *b = (struct dram_bank){ true, p.row, column + c->dram_tburst };
    *bus = r->due = data + c->dram_tburst;
    d->stats->dram_bus_busy += c->dram_tburst;
    *(hit ? &d->stats->row_hits : &d->stats->row_misses) += 1;
}

void
dram_tick(struct dram *d, struct memory_request *list, unsigned n, uint64_t now)
{
    for (unsigned i = 0; i < d->config->dram_channels; i++) {
        int chosen = choose_request(d, i, list, n, now);
        if (chosen >= 0)
            start_request(d, &list[chosen], now);
    }
}

void
dram_init(struct dram *d, const struct ventus_model_config *config,
          struct ventus_model_stats *stats)
{
    assert(config->dram_channels <= DRAM_CHANNELS);
    assert(config->dram_banks <= DRAM_BANKS);
    assert(config->dram_row_B >= config->l2.line_B && "a line is in one row");
    d->config = config;
    d->stats = stats;
    dram_reset(d);
}

void
dram_reset(struct dram *d)
{
    d->state = (struct dram_state){ 0 };
}
