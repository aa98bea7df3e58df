/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>

#include "cl/api.h"

/*
 * The head of all objects of the API, and the rule of ownership.
 *
 * THE RULE: an object that keeps a pointer to another object owns a reference and
 * releases it when it drops the pointer.  Pointers go from the younger to the older
 * object only (event -> queue -> context, kernel -> program -> context, sub-buffer ->
 * buffer, command buffer -> objects of its commands), so there are no cycles; lists in
 * the other direction do not own and are protected by the older object's lock.  A
 * command owns references to all its objects until it has ended, or, if it is recorded,
 * as long as its command buffer.  Platform and devices live as long as the process.
 *
 * References are counted twice.  `handles` are those of the application, the answer to
 * CL_..._REFERENCE_COUNT; `refs` are these and the runtime's together.  The object
 * dies with the last of `refs`; a handle may outlive the application's last release as
 * long as the runtime uses the object, which clGet...Info then returns.
 *
 * The one exception is clSetKernelArg: by the specification it does not retain.  A
 * kernel has a struct object_weak, which knows whether its object still lives.
 *
 * Handles come from the application and may be anything.  All living objects are in a
 * table; a handle is not dereferenced before it was found there.  The loader reads the
 * dispatch table of any handle, even after the release, so memory of objects is never
 * freed: it is reused for another object of the same type, but only after QUARANTINE
 * others have died.
 */
enum object_type {
    OBJECT_PLATFORM = 1,
    OBJECT_DEVICE,
    OBJECT_CONTEXT,
    OBJECT_QUEUE,
    OBJECT_MEM,
    OBJECT_PROGRAM,
    OBJECT_KERNEL,
    OBJECT_EVENT,
    OBJECT_SAMPLER,
    OBJECT_COMMAND_BUFFER,
    OBJECT_SEMAPHORE,
    OBJECT_TYPES
};

struct object {
    const cl_icd_dispatch *dispatch; /* first: the loader reads it */
    enum object_type type;
    size_t row;          /* index in the table of living objects */
    uint64_t serial;     /* unique for the whole process */
    unsigned generation; /* generation of the process that made it: fork.c */
    unsigned handles, refs;
    void (*destroy)(void *object); /* releases what it owns */
    /* List of dead objects of its type, oldest first. */
    struct object *next_dead;
};

struct object_weak {
    struct object *object;
    uint64_t serial;
};

/* Makes an object of `size` zeroed bytes, the same for all of a type, which begin with
 * a struct object, with one handle. */
void *
object_new(enum object_type type, size_t size, void (*destroy)(void *object));

/* Whether a handle is a living object of this type. */
bool
object_is(const void *handle, enum object_type type);

/* The number of objects of the type that the application has not released; *first: the
 * serial number of the oldest. */
unsigned
object_count(enum object_type type, uint64_t *first);

/* Calls a function for each of these objects, with no lock held. */
void
object_each(enum object_type type, void (*fn)(void *object));

/* Adds a reference of the runtime; returns the object. */
void *
object_ref(void *object);

/* Drops a reference of the runtime.  NULL does nothing. */
void
object_unref(void *object);

/* Adds or drops a reference of the application; `code` if the handle is not of this
 * type. */
cl_int
object_retain(void *handle, enum object_type type, cl_int code);

cl_int
object_release(void *handle, enum object_type type, cl_int code);

cl_uint
object_handles(const void *object);

/* Adds to a reference of the runtime one of the application. */
void
object_give(void *object);

/* Takes back the handle of a new object that was never returned: only the runtime uses
 * it. */
void
object_keep(void *object);

/* ---- around fork(): fork.c ---- */

/* Locks the table while the process is copied, so that no other thread holds its lock. */
void
object_table_lock(void);

void
object_table_unlock(void);

/* Invalidates all objects but the platform in the child, whose copy of the lock is
 * held.  Their memory stays, because the loader reads their handles. */
void
object_table_reset(void);

struct object_weak
object_weak(void *object);

/* A new reference if the object still lives; else NULL. */
void *
object_upgrade(struct object_weak weak);
