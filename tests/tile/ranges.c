/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collisions of accesses to memory, found by place, against a list of all accesses that
 * is searched from its beginning.
 */
#include "tile/ranges.h"

#include <stdlib.h>

#include "test.h"

enum { THREADS = 3, ACCESSES = 6000, PCS = 40, SPACE = 6000 };

static uint32_t
draw(uint32_t below)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static struct tile_thread *thread[THREADS];
static struct check_range past[ACCESSES];

static void
start(void)
{
    for (unsigned i = 0; i < THREADS; i++) {
        thread[i] = calloc(1, sizeof *thread[i]);
        thread[i]->index = i;
    }
}

static void
stop(void)
{
    for (unsigned i = 0; i < THREADS; i++)
        free(thread[i]);
}

/* Rows, descriptors, atomics of 8 bytes, copies; scalar accesses. */
static struct check_range
any_access(void)
{
    static const unsigned sizes[] = { 32, 32, 32, 8, 8, 1500 };
    struct check_range r = { .kind = (uint8_t)draw(CHECK_KINDS + 1),
                             .thread = thread[draw(THREADS)],
                             .pc = 4 * draw(PCS),
                             .write = draw(2),
                             .atomic = draw(4) == 0,
                             .group = ~0u };
    unsigned size = r.kind == CHECK_TMA    ? 1500
                    : r.kind == CHECK_HART ? 1u << draw(4)
                                           : sizes[draw(5)];
    r.from = draw(SPACE) / 8 * 8;
    r.to = r.from + size;
    if (r.kind != CHECK_HART)
        r.seq = ++r.thread->check.seq;
    return r;
}

/* By the definition in hazard.h. */
static bool
collides(const struct check_range *a, const struct check_range *b)
{
    bool same_order = a->thread == b->thread && a->kind == b->kind;
    return a->seq > a->thread->check.retired[a->kind] && !same_order &&
           a->from < b->to && b->from < a->to && (a->write || b->write) &&
           !(a->atomic && b->atomic);
}

static void
check_found(const struct check *c, const struct check_range *r, size_t n)
{
    bool expected[PCS] = { false }, found[PCS] = { false };
    for (size_t i = 0; i < n; i++)
        if (past[i].kind != CHECK_HART && collides(&past[i], r))
            expected[past[i].pc / 4] = true;
    for (size_t i = 0; i < c->hazards; i++) {
        found[c->hazard[i].first_pc / 4] = true;
        CHECK_EQ(c->hazard[i].second_pc, r->pc);
        CHECK_EQ(c->hazard[i].address, r->from);
    }
    CHECK(memcmp(expected, found, sizeof found) == 0);
}

TEST(collisions_are_those_of_a_plain_list)
{
    struct check c = { .on = true };
    size_t hazards = 0;
    start();
    for (size_t n = 0; n < ACCESSES; n++) {
        struct check_range r = any_access();
        struct tile_thread *t = thread[draw(THREADS)];
        unsigned kind = draw(CHECK_KINDS);
        if (draw(8) == 0) /* a wait counts out the older ones */
            t->check.retired[kind] =
                t->check.seq -
                draw((uint32_t)(t->check.seq - t->check.retired[kind]) + 1);
        c.hazards = 0;
        ranges_access(&c, &r, VENTUS_TILE_UNIT_ALU, r.kind != CHECK_HART);
        check_found(&c, &r, n);
        hazards += c.hazards;
        past[n] = r;
    }
    CHECK(hazards > ACCESSES / 4 && hazards < 20 * ACCESSES);
    ranges_free(&c);
    stop();
}

/* Of an access compared with a constant number of others: it was with all of them. */
TEST(new_rows_take_linear_work)
{
    for (uint64_t rows = 1000; rows <= 64000; rows *= 4) {
        struct check c = { .on = true };
        start();
        for (uint64_t i = 0; i < rows; i++) {
            struct check_range r = { .kind = CHECK_GLD,
                                     .thread = thread[0],
                                     .seq = ++thread[0]->check.seq,
                                     .from = 32 * i,
                                     .to = 32 * i + 32 };
            ranges_access(&c, &r, VENTUS_TILE_UNIT_GLSU, true);
        }
        CHECK_EQ(c.rows.n, rows);
        CHECK(c.compared <= 8 * rows);
        ranges_free(&c);
        stop();
    }
}

/* Rows that were waited for do not fill the memory of the host. */
TEST(rows_that_were_waited_for_are_removed)
{
    struct check c = { .on = true };
    start();
    for (uint64_t i = 0; i < 100000; i++) {
        struct check_range r = { .kind = CHECK_GLD,
                                 .thread = thread[0],
                                 .seq = ++thread[0]->check.seq,
                                 .from = 32 * i,
                                 .to = 32 * i + 32 };
        ranges_access(&c, &r, VENTUS_TILE_UNIT_GLSU, true);
        thread[0]->check.retired[CHECK_GLD] = i;
    }
    CHECK(c.rows.n <= 1024 && c.rows.capacity <= 2048);
    ranges_free(&c);
    stop();
}

TEST_MAIN
