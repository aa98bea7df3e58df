/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <ventus/dev_check.h>

#include "base/thread.h"
#include "dev/engine.h"
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
 * Two locks: `turn` is held by the thread that uses the machine, first come,
 * first served; queue.lock guards the list of tickets.  The turn is never taken
 * while the queue's lock is held.
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
#define DEV_NARROW_MOST  UINT64_C(0x6ffff000) /* bytes of narrow buffers */

enum { DEV_SPILL_B = 1024 }; /* scalar stack of a warp, in local memory */

/* Padding (padding.h) after local memory, and after the private memory of each thread. */
enum { PADDING_LOCAL = 2048, PADDING_PRIVATE = 256 };

/* A lock that is given in the order in which it was asked for. */
struct turn {
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
    uint64_t room;
    unsigned flags;
    struct ventus_dev_context *context;
};

/* Allocations that see each other; programs of a context see no others. */
struct ventus_dev_context {
    struct ventus_dev *dev;
    struct paging_context tables;
    bool linked; /* in the list of the device: it has or had something */
    struct ventus_dev_context *next;
};

enum { DEV_FREED = 64 }; /* released allocations that faults can name */

struct ventus_dev {
    struct config config;
    bool bare;
    const struct engine_ops *ops;
    void *machine;
    struct turn turn;
    struct queue queue;
    struct space space;
    struct paging paging;
    struct ventus_dev_context own; /* of ventus_dev_alloc and ventus_dev_load */
    struct ventus_dev_context *contexts;
    struct ventus_dev_program *programs;
    struct space_range freed[DEV_FREED]; /* the last ones, in a ring */
    unsigned n_freed;
    struct scratch args, private_memory, print;
    struct record *record;            /* or NULL */
    struct findings *findings;        /* of ventus_dev_check; or NULL */
    struct debug *debug;              /* of ventus_dev_debug; or NULL */
    struct gdb *gdb;                  /* of it */
    struct recorder_device *recorder; /* of recorder_add; or NULL */
};

/* Do kernels not write memory of these flags? */
static inline bool
memory_is_read_only(unsigned flags)
{
    return flags & VENTUS_DEV_READ_ONLY && !(flags & VENTUS_DEV_WHEN_CHECKED);
}

/* Instructions of a program that were named to the host. */
struct told {
    uint64_t *pc;
    size_t n, cap;
};

/* A launch, checked and copied. */
struct ventus_dev_ticket {
    struct ventus_dev *dev;
    struct arena arena;
    struct ventus_dev_launch launch; /* its pointers are into the arena */
    struct ventus_sim_launch run;    /* as an engine is told */
    uint64_t args_B;
    enum ventus_dev_state state;
    uint64_t all_groups;
    uint64_t at_once; /* workgroups that an engine is given together */
    _Atomic uint64_t done_groups;
    int stop;          /* run.stop points to it */
    uint64_t executed; /* run.executed points to it */
    struct ventus_dev_result result;
    bool lacks_memory; /* the reason why it failed */
    struct ventus_dev_ticket *next;
};

/* ---- device.c ---- */

void
turn_take(struct turn *t);

void
turn_give(struct turn *t);

/* By any thread: for assertions where the turn must be held. */
bool
turn_is_taken(struct turn *t);

/* The context is about to have something.  The turn must be held. */
void
context_link(struct ventus_dev_context *c);

/* All contexts have nothing, as the machine has not.  The turn must be held. */
void
context_forget_all(struct ventus_dev *d);
