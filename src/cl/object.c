/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/held.h"
#include "cl/dispatch.h"

/* All living objects, found by their address, and the dead ones of each type by age.
 * One lock protects both and the counts; it is a leaf of the lock order: no function
 * is called while it is held. */
enum { QUARANTINE = 16384 };

struct dead {
    struct object *first, *last;
    size_t n;
};

static struct {
    pthread_mutex_t lock;
    struct object **living;
    struct hash_index index; /* index of `living` */
    size_t n, cap;
    struct dead dead[OBJECT_TYPES];
    uint64_t serial;
    unsigned generation; /* incremented in each forked child */
} table = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The living object with this handle in this process, or NULL. */
static struct object *
find_object(const void *handle)
{
    assert_held(&table.lock);
    uint32_t row;
    hash_each (&table.index, hash_u64((uintptr_t)handle), row)
        if (table.living[row] == handle)
            return table.living[row]->generation == table.generation
                       ? table.living[row]
                       : NULL;
    return NULL;
}

static bool
insert_object(struct object *o)
{
    assert_held(&table.lock);
    if (table.n == table.cap) {
        size_t cap = table.cap ? 2 * table.cap : 64;
        struct object **living =
            realloc(table.living, cap * sizeof(struct object *));
        if (!living)
            return false;
        table.living = living;
        table.cap = cap;
    }
    if (!hash_add(&table.index, hash_u64((uintptr_t)o), table.n))
        return false;
    assert(table.n < table.cap && "the table was enlarged before");
    o->row = table.n;
    table.living[table.n++] = o;
    return true;
}

/* Removes an object; the last row takes its place. */
static void
remove_object(struct object *o)
{
    assert_held(&table.lock);
    assert(o->row < table.n && table.living[o->row] == o &&
           "the row is that of the object");
    struct object *last = table.living[--table.n];
    hash_remove(&table.index, hash_u64((uintptr_t)o), o->row);
    if (last == o)
        return;
    hash_renumber(&table.index, hash_u64((uintptr_t)last), last->row, o->row);
    last->row = o->row;
    table.living[o->row] = last;
}

/* The oldest dead object of a type, if it has passed the quarantine; or NULL. */
static struct object *
take_dead(enum object_type type)
{
    struct dead *d = &table.dead[type];
    pthread_mutex_lock(&table.lock);
    struct object *o = d->n > QUARANTINE ? d->first : NULL;
    if (o) {
        d->first = o->next_dead;
        d->n--;
    }
    pthread_mutex_unlock(&table.lock);
    return o;
}

/* Allocates an object.  A reused one keeps its dispatch table, which the loader may be
 * reading now. */
static struct object *
allocate_object(enum object_type type, size_t size)
{
    struct object *o = take_dead(type);
    if (o)
        memset((char *)o + sizeof o->dispatch, 0, size - sizeof o->dispatch);
    else
        o = calloc(1, size);
    if (o && !o->dispatch)
        o->dispatch = dispatch_table();
    return o;
}

static void
bury_object(struct object *o)
{
    struct dead *d = &table.dead[o->type];
    assert(!o->refs && "only unreferenced objects are buried");
    pthread_mutex_lock(&table.lock);
    o->next_dead = NULL;
    *(d->n ? &d->last->next_dead : &d->first) = o;
    d->last = o;
    d->n++;
    pthread_mutex_unlock(&table.lock);
}

void *
object_new(enum object_type type, size_t size, void (*destroy)(void *object))
{
    assert(type > 0 && type < OBJECT_TYPES &&
           "types have lists of dead objects");
    struct object *o = allocate_object(type, size);
    if (!o)
        return NULL;
    o->type = type;
    o->handles = o->refs = 1;
    o->destroy = destroy;
    pthread_mutex_lock(&table.lock);
    o->serial = ++table.serial;
    o->generation = table.generation;
    bool ok = insert_object(o);
    pthread_mutex_unlock(&table.lock);
    if (ok)
        return o;
    o->refs = 0;
    bury_object(o);
    return NULL;
}

bool
object_is(const void *handle, enum object_type type)
{
    pthread_mutex_lock(&table.lock);
    const struct object *o = find_object(handle);
    bool is = o && o->type == type;
    pthread_mutex_unlock(&table.lock);
    return is;
}

unsigned
object_count(enum object_type type, uint64_t *first)
{
    unsigned n = 0;
    *first = UINT64_MAX;
    pthread_mutex_lock(&table.lock);
    for (size_t i = 0; i < table.n; i++) {
        const struct object *o = table.living[i];
        if (o->type != type || !o->handles || o->generation != table.generation)
            continue;
        *first = o->serial < *first ? o->serial : *first;
        n++;
    }
    pthread_mutex_unlock(&table.lock);
    return n;
}

void
object_each(enum object_type type, void (*fn)(void *object))
{
    size_t n = 0;
    pthread_mutex_lock(&table.lock);
    struct object **list = calloc(table.n + 1, sizeof(struct object *));
    for (size_t i = 0; list && i < table.n; i++) {
        struct object *o = table.living[i];
        if (o->type != type || !o->handles || o->generation != table.generation)
            continue;
        o->refs++;
        list[n++] = o;
    }
    pthread_mutex_unlock(&table.lock);
    for (size_t i = 0; i < n; i++) {
        fn(list[i]);
        object_unref(list[i]);
    }
    free(list);
}

void *
object_ref(void *object)
{
    struct object *o = object;
    pthread_mutex_lock(&table.lock);
    assert(o->refs > 0 && o->refs >= o->handles &&
           "handles are references, too");
    o->refs++;
    pthread_mutex_unlock(&table.lock);
    return object;
}

/* Drops a reference and unlocks the table, which must be locked; may destroy the
 * object. */
static void
drop_locked(struct object *o)
{
    assert_held(&table.lock);
    assert(o->refs > 0);
    /* Objects that a forked child inherited are never destroyed. */
    bool last = --o->refs == 0 && find_object(o);
    if (last)
        remove_object(o);
    pthread_mutex_unlock(&table.lock);
    if (!last)
        return;
    if (o->destroy)
        o->destroy(o);
    bury_object(o);
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
    struct object *o = find_object(handle);
    bool ok = o && o->type == type;
    if (ok) {
        o->handles++;
        o->refs++;
    }
    pthread_mutex_unlock(&table.lock);
    CL_REQUIRE(ok, code);
    return CL_SUCCESS;
}

cl_int
object_release(void *handle, enum object_type type, cl_int code)
{
    pthread_mutex_lock(&table.lock);
    struct object *o = find_object(handle);
    bool ok = o && o->type == type && o->handles;
    if (!ok) {
        pthread_mutex_unlock(&table.lock);
        return cl_refuse(code, "a handle that was not released before");
    }
    o->handles--;
    drop_locked(o);
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
    assert(o->refs > 0);
    o->handles++;
    o->refs++;
    pthread_mutex_unlock(&table.lock);
}

void
object_keep(void *object)
{
    struct object *o = object;
    pthread_mutex_lock(&table.lock);
    assert(o->handles > 0 && o->refs >= o->handles &&
           "handles are references, too");
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
    for (size_t i = 0; i < table.n; i++)
        if (table.living[i]->type == OBJECT_PLATFORM)
            table.living[i]->generation = table.generation;
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
    struct object *o = find_object(weak.object);
    if (o && o->serial != weak.serial)
        o = NULL;
    if (o)
        o->refs++;
    pthread_mutex_unlock(&table.lock);
    return o;
}
