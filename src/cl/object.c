/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/object.h"

#include <stdlib.h>

#include "cl/dispatch.h"

/*
 * All living objects: a hash table of pointers, open addressing, and a ring
 * of dead ones whose memory is not given back yet.  One lock for both and for
 * the counts; it is a leaf, nothing is called while it is held.
 */
enum { MIN_SLOTS = 64, KEPT = 256 };

static struct {
    pthread_mutex_t lock;
    struct object **slot;
    size_t slots, used; /* used: living or removed */
    size_t living;
    struct object *kept[KEPT];
    size_t next_kept;
    uint64_t serial;
    unsigned generation; /* one more in each forked child */
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static struct object removed; /* its address marks a slot */

static size_t
hash(const void *handle)
{
    uint64_t x = (uintptr_t)handle;
    return (size_t)((x >> 4) * 0x9e3779b97f4a7c15u >> 20);
}

/* Where the handle is, or NULL. */
static struct object **
find(const void *handle)
{
    if (!table.slots || !handle || handle == &removed)
        return NULL;
    size_t mask = table.slots - 1;
    for (size_t i = hash(handle) & mask; table.slot[i]; i = (i + 1) & mask)
        if (table.slot[i] == handle)
            return table.slot[i]->generation == table.generation
                       ? &table.slot[i]
                       : NULL;
    return NULL;
}

static void
insert(struct object *o)
{
    size_t mask = table.slots - 1;
    size_t i = hash(o) & mask;
    while (table.slot[i])
        i = (i + 1) & mask;
    table.slot[i] = o;
    table.used++;
}

/* Room for one more, at most half of the slots used; drops removed ones. */
static bool
grow(void)
{
    if (2 * (table.used + 1) <= table.slots)
        return true;
    struct object **old = table.slot;
    size_t n = table.slots, slots = MIN_SLOTS;
    while (slots < 4 * (table.living + 1))
        slots *= 2;
    struct object **slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    table.slot = slot;
    table.slots = slots;
    table.used = 0;
    for (size_t i = 0; i < n; i++)
        if (old[i] && old[i] != &removed)
            insert(old[i]);
    free(old);
    return true;
}

void *
object_new(enum object_type type, size_t size, void (*destroy)(void *object))
{
    struct object *o = calloc(1, size);
    if (!o)
        return NULL;
    o->dispatch = dispatch_table();
    o->type = type;
    o->handles = o->refs = 1;
    o->destroy = destroy;
    pthread_mutex_lock(&table.lock);
    o->serial = ++table.serial;
    o->generation = table.generation;
    bool ok = grow();
    if (ok) {
        insert(o);
        table.living++;
    }
    pthread_mutex_unlock(&table.lock);
    if (ok)
        return o;
    free(o);
    return NULL;
}

bool
object_is(const void *handle, enum object_type type)
{
    pthread_mutex_lock(&table.lock);
    struct object **slot = find(handle);
    bool is = slot && (*slot)->type == type;
    pthread_mutex_unlock(&table.lock);
    return is;
}

void *
object_ref(void *object)
{
    struct object *o = object;
    pthread_mutex_lock(&table.lock);
    o->refs++;
    pthread_mutex_unlock(&table.lock);
    return object;
}

/* Its memory takes the place of what has been dead for longest. */
static void
bury(struct object *o)
{
    pthread_mutex_lock(&table.lock);
    struct object *oldest = table.kept[table.next_kept];
    table.kept[table.next_kept] = o;
    table.next_kept = (table.next_kept + 1) % KEPT;
    pthread_mutex_unlock(&table.lock);
    free(oldest);
}

/* The lock is held and is given back; the object may be destroyed. */
static void
drop_locked(struct object *o)
{
    struct object **slot = --o->refs == 0 ? find(o) : NULL;
    bool last = slot; /* what a forked child inherited stays where it is */
    if (last) {
        *slot = &removed;
        table.living--;
    }
    pthread_mutex_unlock(&table.lock);
    if (!last)
        return;
    if (o->destroy)
        o->destroy(o);
    bury(o);
}

void
object_unref(void *object)
{
    if (!object)
        return;
    pthread_mutex_lock(&table.lock);
    drop_locked(object);
}

cl_int
object_retain(void *handle, enum object_type type, cl_int code)
{
    pthread_mutex_lock(&table.lock);
    struct object **slot = find(handle);
    bool ok = slot && (*slot)->type == type;
    if (ok) {
        (*slot)->handles++;
        (*slot)->refs++;
    }
    pthread_mutex_unlock(&table.lock);
    CL_REQUIRE(ok, code);
    return CL_SUCCESS;
}

cl_int
object_release(void *handle, enum object_type type, cl_int code)
{
    pthread_mutex_lock(&table.lock);
    struct object **slot = find(handle);
    bool ok = slot && (*slot)->type == type && (*slot)->handles;
    if (!ok) {
        pthread_mutex_unlock(&table.lock);
        return cl_refuse(code, "a handle that was not released before");
    }
    (*slot)->handles--;
    drop_locked(*slot);
    return CL_SUCCESS;
}

cl_uint
object_handles(const void *object)
{
    const struct object *o = object;
    pthread_mutex_lock(&table.lock);
    cl_uint handles = o->handles;
    pthread_mutex_unlock(&table.lock);
    return handles;
}

void
object_give(void *object)
{
    struct object *o = object;
    pthread_mutex_lock(&table.lock);
    o->handles++;
    o->refs++;
    pthread_mutex_unlock(&table.lock);
}

void
object_keep(void *object)
{
    struct object *o = object;
    pthread_mutex_lock(&table.lock);
    o->handles--;
    pthread_mutex_unlock(&table.lock);
}

void
object_table_lock(void)
{
    pthread_mutex_lock(&table.lock);
}

void
object_table_unlock(void)
{
    pthread_mutex_unlock(&table.lock);
}

void
object_table_reset(void)
{
    pthread_mutex_init(&table.lock, NULL);
    table.generation++;
    for (size_t i = 0; i < table.slots; i++) {
        struct object *o = table.slot[i];
        if (o && o != &removed && o->type == OBJECT_PLATFORM)
            o->generation = table.generation;
    }
}

struct object_weak
object_weak(void *object)
{
    struct object *o = object;
    return (struct object_weak){ o, o ? o->serial : 0 };
}

void *
object_upgrade(struct object_weak weak)
{
    pthread_mutex_lock(&table.lock);
    struct object **slot = find(weak.object);
    struct object *o = slot && (*slot)->serial == weak.serial ? *slot : NULL;
    if (o)
        o->refs++;
    pthread_mutex_unlock(&table.lock);
    return o;
}
