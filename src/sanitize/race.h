/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Races, by an automaton of constant size for each word.
 *
 *     63   61 60  57 56   45 44       19 18    0
 *    | state | bytes | site |    item   | time |
 *
 * A record is the last access that another one could race with.  `item` is
 * the work-item, as its work-group times the size of one, plus its place in
 * it; `site` is the instruction, a row of a table; `time` is a clock of the
 * launch that moves on at barriers and releases.  A later access is ordered
 * after the record if it is of the same work-item, or if a barrier of the
 * work-group (of the sub-group) that orders this memory lies between, or an
 * acquire of a later release.
 *
 * What one record cannot hold makes races go unseen, never false alarms:
 *
 *   - accesses to different bytes of a word do not race; the record is of the
 *     later one
 *   - a read takes the place of a write that is ordered before it.  In global memory
 *     other work-groups may race with that write: it is kept beside (shadow.h)
 *   - an acquire orders all that happened before the release, of any work-item; one of
 *     the work-group's scope, of any of the work-group
 */
enum race_state {
    RACE_NONE,
    RACE_READ,        /* by one work-item */
    RACE_READ_MANY,   /* by several of a work-group */
    RACE_READ_GROUPS, /* of several work-groups */
    RACE_WRITE,
    RACE_ATOMIC,
    RACE_ATOMIC_MANY,
    RACE_ATOMIC_GROUPS
};

#ifdef VENTUS_TINY
enum { RACE_TIME_BITS = 6 }; /* the clock starts again soon */
#else
enum { RACE_TIME_BITS = 19 };
#endif
enum {
    RACE_ITEM_BITS = 26,
    RACE_SITE_BITS = 12,
    RACE_ITEM_AT = RACE_TIME_BITS,
    RACE_SITE_AT = RACE_ITEM_AT + RACE_ITEM_BITS,
    RACE_BYTES_AT = RACE_SITE_AT + RACE_SITE_BITS,
    RACE_STATE_AT = RACE_BYTES_AT + 4,
    RACE_TIME_MAX = (1 << RACE_TIME_BITS) - 1,
    RACE_SITES = 1 << RACE_SITE_BITS
};

enum race_access { RACE_READS, RACE_WRITES, RACE_READS_ATOMIC, RACE_UPDATES };

/* Who accesses, and what is ordered after. */
struct race_now {
    uint32_t item, group_first, group_end; /* items of the work-group */
    uint32_t warp_first, warp_end;
    uint32_t time;
    uint32_t barrier; /* of the work-group: what was before it is ordered */
    uint32_t warp_barrier;
    uint32_t acquired;          /* what was at or before that is ordered */
    uint32_t acquired_in_group; /* likewise, what the work-group did */
    unsigned site, bytes;
    enum race_access access;
    bool several; /* a scalar access for several work-items */
    bool local;   /* memory that no other work-group has */
};

static inline unsigned
race_state(uint64_t r)
{
    return (unsigned)(r >> RACE_STATE_AT);
}

static inline uint32_t
race_item(uint64_t r)
{
    return (uint32_t)(r >> RACE_ITEM_AT) & ((1u << RACE_ITEM_BITS) - 1);
}

static inline uint32_t
race_time(uint64_t r)
{
    return (uint32_t)r & RACE_TIME_MAX;
}

static inline unsigned
race_site(uint64_t r)
{
    return (unsigned)(r >> RACE_SITE_AT) & (RACE_SITES - 1);
}

static inline unsigned
race_bytes(uint64_t r)
{
    return (unsigned)(r >> RACE_BYTES_AT) & 15;
}

static inline uint64_t
race_record(enum race_state state, const struct race_now *now)
{
    return (uint64_t)state << RACE_STATE_AT |
           (uint64_t)now->bytes << RACE_BYTES_AT |
           (uint64_t)now->site << RACE_SITE_AT |
           (uint64_t)now->item << RACE_ITEM_AT | now->time;
}

/*
 * The record after the access.  *race: the two have no order and one of them
 * writes; `was_lr`: the record's instruction is a load.
 */
uint64_t
race_next(uint64_t record, const struct race_now *now, bool was_load,
          bool *race);

/*
 * The same for the usual case, in a few instructions: an access for one
 * work-item, no barriers of sub-groups, no order of atomics.  What is the same
 * for all work-items of a warp is prepared once.
 */
struct race_usual {
    /* Records without item and bytes: by whether it is the only access that
     * counts, one of several of the work-group, or of several of them. */
    uint64_t read[3], update[3], write;
    int64_t group_first, group_end;
    int64_t in_group, elsewhere; /* accesses before these times are ordered */
    uint64_t local;              /* by race_if */
};

static inline uint64_t
race_if(bool x);

static inline struct race_usual
race_usual(const struct race_now *now)
{
    /* A release moves the clock on, so what is acquired lies before. */
    assert(now->acquired < now->time && now->barrier <= now->time);
    assert(now->acquired_in_group < now->time);
    struct race_now n = *now;
    n.item = n.bytes = 0;
    uint32_t after = now->acquired + 1, inside = now->acquired_in_group + 1;
    inside = inside > after ? inside : after;
    struct race_usual u = {
        .write = race_record(RACE_WRITE, &n),
        .group_first = now->group_first,
        .group_end = now->group_end,
        .in_group = inside > now->barrier ? inside : now->barrier,
        .elsewhere = after,
        .local = race_if(now->local),
    };
    for (unsigned i = 0; i < 3; i++) {
        u.read[i] = race_record((enum race_state)(RACE_READ + i), &n);
        u.update[i] = race_record((enum race_state)(RACE_ATOMIC + i), &n);
    }
    return u;
}

/* All bits, or none.  Nothing below branches, and all numbers have 64 bits: loops over
 * records become vectors. */
static inline uint64_t
race_if(bool x)
{
    return x ? UINT64_MAX : 0;
}

static inline uint64_t
race_choose(uint64_t condition, uint64_t a, uint64_t b)
{
    return (a & condition) | (b & ~condition);
}

/* Facts of a record, by race_if: whether its access is of this work-group
 * and no other, whether it is ordered before one of this work-item, and whether by more
 * than that it is of this one. */
struct race_known {
    uint64_t ours, ordered, before;
};

/* The states `one` and `one` + 2 are those of one work-item, of several groups. */
static inline struct race_known
race_look(uint64_t r, const struct race_usual *u, int64_t item, int64_t one)
{
    const int64_t other = race_item(r), time = race_time(r);
    const int64_t state = race_state(r);
    const uint64_t ours = race_if(other >= u->group_first) &
                          race_if(other < u->group_end) &
                          race_if(state != one + 2);
    const uint64_t same = race_if(other == item) & race_if(state == one);
    const uint64_t before = race_choose(ours, race_if(time < u->in_group),
                                        race_if(time < u->elsewhere));
    return (struct race_known){ ours, before | same, before };
}

/* The record there, or none if it is about other bytes of the word. */
static inline uint64_t
race_overlapping(uint64_t r, unsigned bytes)
{
    return r & race_if((race_bytes(r) & bytes) != 0);
}

static inline uint64_t
race_mine(uint64_t item, unsigned bytes)
{
    return item << RACE_ITEM_AT | (uint64_t)bytes << RACE_BYTES_AT;
}

/* The record after the access.  *told: by race_if, 0: race_next has to tell, the
 * record is as before. */
static inline uint64_t
race_read(uint64_t record, const struct race_usual *u, int64_t item,
          unsigned bytes, uint64_t *told)
{
    const uint64_t r = race_overlapping(record, bytes);
    const int64_t state = race_state(r);
    const uint64_t read = race_if(state < RACE_WRITE);
    const uint64_t written = race_if(state == RACE_WRITE);
    const struct race_known k = race_look(r, u, item, RACE_READ);
    const uint64_t alone = ~read | k.ordered;
    const uint64_t mine =
        race_mine((uint64_t)item, bytes) |
        race_choose(alone, u->read[0],
                    race_choose(k.ours, u->read[1], u->read[2]));
    const struct race_known w = race_look(r, u, item, RACE_WRITE);
    /* Others race with its own write, up to a barrier. */
    const uint64_t own = written & w.ordered & ~w.before;
    *told = read | own | (written & w.before & u->local);
    return race_choose(*told & ~own, mine, record);
}

static inline uint64_t
race_write(uint64_t record, const struct race_usual *u, int64_t item,
           unsigned bytes, uint64_t *told)
{
    const uint64_t r = race_overlapping(record, bytes);
    const int64_t state = race_state(r);
    const uint64_t later = race_choose(
        race_if(state == RACE_WRITE), race_look(r, u, item, RACE_WRITE).ordered,
        race_look(r, u, item, RACE_ATOMIC).ordered);
    *told = race_choose(race_if(state < RACE_WRITE),
                        race_look(r, u, item, RACE_READ).ordered, later);
    return race_choose(*told, race_mine((uint64_t)item, bytes) | u->write,
                       record);
}

/* The same of a record in its place. */
static inline bool
race_usual_read(uint64_t *record, const struct race_usual *u, uint32_t item,
                unsigned bytes)
{
    uint64_t told;
    *record = race_read(*record, u, item, bytes, &told);
    return told;
}

static inline bool
race_usual_write(uint64_t *record, const struct race_usual *u, uint32_t item,
                 unsigned bytes)
{
    uint64_t told;
    *record = race_write(*record, u, item, bytes, &told);
    return told;
}

static inline bool
race_usual_update(uint64_t *record, const struct race_usual *u, uint32_t item,
                  unsigned bytes)
{
    const uint64_t r = race_overlapping(*record, bytes);
    if (r && race_state(r) < RACE_ATOMIC)
        return false;
    struct race_known k = race_look(r, u, item, RACE_ATOMIC);
    *record = race_mine(item, bytes) | u->update[k.ordered ? 0
                                                 : k.ours  ? 1
                                                           : 2];
    return true;
}
