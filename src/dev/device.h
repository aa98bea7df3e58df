/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <ventus/dev_check.h>

#include "base/thread.h"
#include "dev/engine/engine.h"
#include "dev/paging.h"
#include "dev/space.h"

/*
 * The parts of a device, shared by the files of this module.
 *
 * Physical memory:
 *
 *     0x0_80000000  page tables
 *     0x1_00000000  buffers, at their virtual address - 0x90000000
 *     0x2_00000000  programs, 256 MiB each
 *     1 << 52       buffers at wide and low addresses: these + 1 << 52
 *
 * Two locks: `lock`, the machine's, is held by the thread that uses the machine;
 * queue.lock guards the list of tickets.  The machine's lock is never acquired while
 * the queue's is held.
 */
#define DEV_TABLES_BASE  UINT64_C(0x80000000)
#define DEV_BUFFERS_BASE UINT64_C(0x100000000)
#define DEV_CODE_BASE    UINT64_C(0x200000000)
#define DEV_CODE         UINT64_C(0x80000000) /* virtual */
#define DEV_CODE_SIZE    UINT64_C(0x10000000)
#define DEV_BUFFERS      UINT64_C(0x90000000)
#define DEV_BUFFERS_END  UINT64_C(0x100000000)
#define DEV_LOCAL        UINT64_C(0x70000000)
#define DEV_WIDE_BASE    (UINT64_C(1) << 52)
#define DEV_NARROW_MAX   UINT64_C(0x6ffff000) /* bytes of narrow buffers */

enum { DEV_SPILL_B = 1024 }; /* scalar stack of a warp, in local memory */

/* Padding (padding.h) after local memory, and after the private memory of each thread. */
enum { PADDING_LOCAL = 2048, PADDING_PRIVATE = 256 };

/* A ticket lock: it is granted in the order of the requests.  `ticket` of its name
 * has nothing to do with tickets of launches. */
struct ticket_lock {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t next, serving;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* tickets came, or changed their state */
    struct thread_handle thread;
    bool started, stop;
    struct ventus_dev_ticket *first, **last;
    uint64_t submitted, finished;
};

/*
 * Device memory that launches use one after the other.  It is mapped in the
 * context of the one that used it last.
 */
struct scratch {
    uint64_t address;
    uint64_t size; /* what the launch asked for, which it may access */
    uint64_t capacity;
    unsigned flags;
    struct ventus_dev_context *context;
};

/* Allocations that programs of the context can access; they access no others. */
struct ventus_dev_context {
    struct ventus_dev *dev;
    struct paging_context tables;
    bool linked; /* in the list of the device: it has or had something */
    struct ventus_dev_context *next;
};

/* Observers that a device may have (dev/observer.h), in the order in which beginnings
 * are told. */
enum dev_observer_slot {
    OBSERVER_RECORDER, /* first: a recording has memory as the launch finds it */
    OBSERVER_OUTPUT,   /* profiles, traces, reports */
    OBSERVER_FINDINGS,
    OBSERVER_DEBUGGER, /* after the checks, whose run loop is run in its own */
    OBSERVER_SLOTS
};

enum { DEV_FREED = 64 }; /* released allocations that faults can name */

struct ventus_dev {
    struct config config;
    bool bare;
    const struct engine_ops *ops;
    void *machine;
    struct ticket_lock lock;
    struct queue queue;
    struct space space;
    struct paging paging;
    struct ventus_dev_context own; /* of ventus_dev_alloc and ventus_dev_load */
    struct ventus_dev_context *contexts;
    struct ventus_dev_program *programs;
    struct space_range freed[DEV_FREED]; /* the last ones, in a ring */
    unsigned n_freed;
    struct scratch args, private_memory, print;
    /* Checks report accesses outside of an object, and those that its flags do not
     * permit: then there is no padding. */
    bool checks_bounds;
    struct dev_observing {
        const struct dev_observer *is; /* NULL: none in this slot */
        void *ctx;
    } observer[OBSERVER_SLOTS];
};

/* Instructions of a program that were named to the host. */
struct told {
    uint64_t *pc;
    size_t n, cap;
};

/* Tests whether memory of these flags is one that kernels do not write. */
static inline bool
memory_is_read_only(unsigned flags)
{
    return flags & VENTUS_DEV_READ_ONLY && !(flags & VENTUS_DEV_WHEN_CHECKED);
}

/* ---- device.c ---- */

void
ticket_lock_acquire(struct ticket_lock *t);

void
ticket_lock_release(struct ticket_lock *t);

/* Tests whether any thread holds it: for assertions. */
bool
ticket_lock_is_held(struct ticket_lock *t);

/* Lists a context that is about to have memory or a program.  The machine's lock must
 * be held. */
void
context_link(struct ventus_dev_context *c);

/* Empties all contexts, as the machine is gone.  The machine's lock must be held. */
void
context_forget_all(struct ventus_dev *d);
