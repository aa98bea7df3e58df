/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/ranges.h"

#include <assert.h>
#include <stdlib.h>

#include "base/oom.h"

enum { SWEEP_LEAST = 256 };

bool
ranges_is_alive(const struct check_range *r)
{
    assert(r->kind < CHECK_KINDS && r->seq <= r->thread->check.seq);
    return r->seq > r->thread->check.retired[r->kind];
}

void
ranges_drop(struct check_list *l, size_t i)
{
    assert(i < l->n);
    l->at[i] = l->at[--l->n];
}

void
ranges_free(struct check *c)
{
    free(c->rows.at);
    free(c->tma.at);
    hash_free(&c->cells);
}

static void
push(struct check_list *l, const struct check_range *r)
{
    assert(r->from < r->to && r->kind < CHECK_KINDS);
    if (l->n == l->capacity) {
        size_t capacity = l->capacity ? 2 * l->capacity : SWEEP_LEAST;
        struct check_range *at = realloc(l->at, capacity * sizeof *at);
        if (!at)
            base_out_of_memory(capacity, sizeof *at);
        l->at = at;
        l->capacity = capacity;
    }
    l->at[l->n++] = *r;
}

/* ---- rows ---------------------------------------------------------------- */

static uint32_t
hash_of(uint64_t from)
{
    return hash_u64(from / RANGES_CELL);
}

static void
add_row(struct check *c, const struct check_range *r)
{
    if (!hash_add(&c->cells, hash_of(r->from), c->rows.n))
        base_out_of_memory(c->rows.n, sizeof *c->cells.slot);
    push(&c->rows, r);
}

/* Removes what is counted out, when there are twice as many rows as were left the last
 * time: a constant effort for each row that was added. */
static void
sweep(struct check *c)
{
    struct check_list old = c->rows;
    if (old.n < c->sweep_at)
        return;
    c->rows.n = 0;
    hash_clear(&c->cells);
    for (size_t i = 0; i < old.n; i++)
        if (ranges_is_alive(&old.at[i]))
            add_row(c, &old.at[i]);
    c->compared += old.n;
    c->sweep_at = 2 * (c->rows.n < SWEEP_LEAST ? SWEEP_LEAST : c->rows.n);
}

/* Two issues of an instruction at one place: the later one is under way for as
 * long as both. */
static bool
is_again(const struct check_range *r, const struct check_range *new)
{
    return r->pc == new->pc && r->from == new->from && r->to == new->to &&
           r->thread == new->thread && r->kind == new->kind &&
           r->write == new->write && r->atomic == new->atomic;
}

/* ---- an access ----------------------------------------------------------- */

static void
compare(struct check *c, const struct check_range *r,
        const struct check_range *new, enum ventus_tile_unit unit)
{
    bool ordered = r->thread == new->thread && r->kind == new->kind;
    c->compared++;
    if (ordered || r->to <= new->from || new->to <= r->from ||
        !(r->write || new->write) || (r->atomic && new->atomic) ||
        !ranges_is_alive(r))
        return;
    hazard_report(c, (struct ventus_tile_hazard){ .pe = new->thread->pe,
                                                  .thread = new->thread->index,
                                                  .first_pc = r->pc,
                                                  .second_pc = new->pc,
                                                  .first = hazard_unit(r->kind),
                                                  .second = unit,
                                                  .first_writes = r->write,
                                                  .second_writes = new->write,
                                                  .reg = -1,
                                                  .address = new->from });
}

/* With the rows in the cell of `piece`, a part of `new`; the row that it repeats. */
static struct check_range *
compare_rows(struct check *c, const struct check_range *piece,
             const struct check_range *new, enum ventus_tile_unit unit)
{
    struct check_range *again = NULL;
    uint32_t hash = hash_of(piece->from), row;
    hash_each (&c->cells, hash, row) {
        struct check_range *r = &c->rows.at[row];
        compare(c, r, new, unit);
        if (is_again(r, piece))
            again = r;
    }
    return again;
}

void
ranges_access(struct check *c, const struct check_range *new,
              enum ventus_tile_unit unit, bool stays)
{
    struct check_range piece = *new;
    bool is_tma = new->kind == CHECK_TMA;
    for (size_t i = 0; i < c->tma.n; i++)
        if (ranges_is_alive(&c->tma.at[i]))
            compare(c, &c->tma.at[i], new, unit);
        else
            ranges_drop(&c->tma, i--);
    sweep(c);
    for (uint64_t at = new->from; at < new->to; at = piece.to) {
        uint64_t cell_end = (at / RANGES_CELL + 1) * RANGES_CELL;
        piece.from = at;
        piece.to = cell_end < new->to ? cell_end : new->to;
        struct check_range *again = compare_rows(c, &piece, new, unit);
        if (again && stays)
            again->seq = new->seq;
        else if (stays && !is_tma)
            add_row(c, &piece);
    }
    if (stays && is_tma)
        push(&c->tma, new);
}
