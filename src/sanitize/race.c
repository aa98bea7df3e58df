/* SPDX-License-Identifier: Apache-2.0 */
#include "sanitize/race.h"

#include <assert.h>

/* Does a barrier or an acquire order the record's access before this one?  Of several
 * work-items of a group, the last of which is of the warp, a barrier of the sub-group may
 * order all. */
static bool
is_before(uint64_t r, const struct race_now *now)
{
    enum race_state state = (enum race_state)race_state(r);
    uint32_t item = race_item(r), time = race_time(r);
    if (time <= now->acquired)
        return true;
    if (state == RACE_READ_GROUPS || state == RACE_ATOMIC_GROUPS)
        return false;
    if (item < now->group_first || item >= now->group_end)
        return false;
    if (time < now->barrier || time <= now->acquired_in_group)
        return true;
    return item >= now->warp_first && item < now->warp_end &&
           time < now->warp_barrier;
}

/* Is the record's access of this work-item alone? */
static bool
is_own(uint64_t r, const struct race_now *now)
{
    enum race_state state = (enum race_state)race_state(r);
    bool one =
        state == RACE_READ || state == RACE_WRITE || state == RACE_ATOMIC;
    return one && race_item(r) == now->item && !now->several;
}

static bool
is_ordered(uint64_t r, const struct race_now *now)
{
    return is_own(r, now) || is_before(r, now);
}

static bool
is_of_group(uint64_t r, const struct race_now *now)
{
    uint32_t item = race_item(r);
    return item >= now->group_first && item < now->group_end;
}

/* Joins accesses that may stand beside each other in one record. */
static uint64_t
join(uint64_t r, const struct race_now *now, enum race_state one)
{
    enum race_state state = (enum race_state)race_state(r);
    enum race_state many = (enum race_state)(one + 1);
    enum race_state groups = (enum race_state)(one + 2);
    assert(state >= one && state <= groups);
    if (state == groups || !is_of_group(r, now))
        return race_record(groups, now);
    bool same = state == one && race_item(r) == now->item && !now->several;
    return race_record(same ? one : many, now);
}

static uint64_t
after_read(uint64_t r, const struct race_now *now, bool was_load, bool *race)
{
    enum race_state state = (enum race_state)race_state(r);
    enum race_state mine = now->several ? RACE_READ_MANY : RACE_READ;
    bool ordered = is_ordered(r, now);
    switch (state) {
    case RACE_NONE:
        return race_record(mine, now);
    case RACE_READ:
    case RACE_READ_MANY:
    case RACE_READ_GROUPS:
        return ordered ? race_record(mine, now) : join(r, now, RACE_READ);
    case RACE_WRITE:
        /* A write of the same work-item since the last barrier stays: others race with it. */
        if (is_own(r, now) && !is_before(r, now))
            return r;
        *race = !ordered;
        return race_record(mine, now);
    case RACE_ATOMIC:
    case RACE_ATOMIC_MANY:
    case RACE_ATOMIC_GROUPS:
        *race = !ordered && !was_load && now->access != RACE_READS_ATOMIC;
        if (now->access == RACE_READS_ATOMIC && !ordered)
            return r;
        return race_record(mine, now);
    }
    return r;
}

static uint64_t
after_update(uint64_t r, const struct race_now *now, bool was_load, bool *race)
{
    switch ((enum race_state)race_state(r)) {
    case RACE_NONE:
        break;
    case RACE_READ:
    case RACE_READ_MANY:
    case RACE_READ_GROUPS:
    case RACE_WRITE:
        /* An access of the same work-item since the last barrier stays: others race with it. */
        if (race_item(r) == now->item && !now->several &&
            race_time(r) == now->time && race_bytes(r) == now->bytes)
            return r;
        *race = !is_ordered(r, now) && !was_load;
        break;
    case RACE_ATOMIC:
    case RACE_ATOMIC_MANY:
    case RACE_ATOMIC_GROUPS:
        if (!is_ordered(r, now))
            return join(r, now, RACE_ATOMIC);
        break;
    }
    return race_record(RACE_ATOMIC, now);
}

uint64_t
race_next(uint64_t r, const struct race_now *now, bool was_load, bool *race)
{
    assert(now->bytes && now->bytes <= 15);
    assert(now->time && now->time <= RACE_TIME_MAX);
    *race = false;
    if (r && !(race_bytes(r) & now->bytes))
        r = 0; /* other bytes of the word */
    switch (now->access) {
    case RACE_READS:
    case RACE_READS_ATOMIC:
        return after_read(r, now, was_load, race);
    case RACE_UPDATES:
        return after_update(r, now, was_load, race);
    case RACE_WRITES:
        *race = race_state(r) != RACE_NONE && !is_ordered(r, now);
        break;
    }
    return race_record(RACE_WRITE, now);
}
