/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>

#include "cl/api.h"

/*
 * What all objects of the API begin with, and the rule of ownership.
 *
 * THE RULE: an object that keeps a pointer to another object owns a reference
 * and gives it back when it drops the pointer.  Pointers go from
 * the younger to the older object only (event -> queue -> context, kernel ->
 * program -> context, sub-buffer -> buffer), so there are no cycles; lists in
 * the other direction are not owners and are guarded by the older object's
 * lock.  A command owns all it uses until it has ended.  Platform and devices
 * live as long as the process.
 *
 * References are counted twice.  `handles` are those of the application, what
 * CL_..._REFERENCE_COUNT answers; `refs` are these and ours together.  The
 * object dies with the last of `refs`; a handle may outlive the application's
 * last release as long as something of ours uses the object, which is what
 * clGet...Info hands out.
 *
 * The one exception is clSetKernelArg: the specification says that it does not
 * retain.  A kernel has a struct object_weak, which knows whether its object
 * still lives.
 *
 * Handles come from the application and may be anything.  All living objects
 * are in a table; a handle is looked up there and not dereferenced before it
 * was found.  The loader reads the dispatch table of any handle, also of those that were
 * released, so memory of objects is never given back: it becomes another object of the same
 * type, but only after QUARANTINE others have died.
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
    OBJECT_TYPES
};

struct object {
    const cl_icd_dispatch *dispatch; /* first: the loader reads it */
    enum object_type type;
    size_t row;          /* in the table of living objects */
    uint64_t serial;     /* no other object ever has it */
    unsigned generation; /* of the process it was made in: fork.c */
    unsigned handles, refs;
    void (*destroy)(void *object); /* gives back what it owns */
    struct object *next_dead;      /* of its type, younger ones later */
};

struct object_weak {
    struct object *object;
    uint64_t serial;
};

/* `size` zeroed bytes, always as many for a type, that begin with a struct object, with one
 * handle. */
void *
object_new(enum object_type type, size_t size, void (*destroy)(void *object));

/* Is it a handle of a living object of this type? */
bool
object_is(const void *handle, enum object_type type);

/* Objects of the type that the application has not released; *first: the
 * serial number of the oldest. */
unsigned
object_count(enum object_type type, uint64_t *first);

/* Calls a function for each of these, with no lock held. */
void
object_each(enum object_type type, void (*fn)(void *object));

/* One more reference of ours; returns the object. */
void *
object_ref(void *object);

/* NULL does nothing. */
void
object_unref(void *object);

/* The application's references: `code` if the handle is not of this type. */
cl_int
object_retain(void *handle, enum object_type type, cl_int code);

cl_int
object_release(void *handle, enum object_type type, cl_int code);

cl_uint
object_handles(const void *object);

/* A reference of ours becomes one of the application's too. */
void
object_give(void *object);

/* A new object that was never given out: its handle becomes ours alone. */
void
object_keep(void *object);

/* ---- around fork(): fork.c ---- */

/* No other thread holds the lock of the table while the process is copied. */
void
object_table_lock(void);

void
object_table_unlock(void);

/* In the child, whose copy of the lock is held: no object is valid any more but
 * the platform.  Their memory stays: the loader reads their handles. */
void
object_table_reset(void);

struct object_weak
object_weak(void *object);

/* A reference, if it still lives; else NULL. */
void *
object_upgrade(struct object_weak weak);
