/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <pthread.h>
#include <stdarg.h>
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

/* dev.c */

/* Sets this thread's message; always false. */
bool
dev_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Because the host has no memory for `what`; see ventus_dev_lacks_memory. */
bool
dev_fail_memory(const char *what);

/* With the message of something else that failed. */
bool
dev_fail_as(const char *text, bool lacks_memory);

/* The messages of a sink as this thread's message; always false. */
bool
dev_fail_sink(const struct diag_sink *sink);

void
turn_take(struct turn *t);

void
turn_give(struct turn *t);

/* By any thread: for assertions where the turn must be held. */
bool
turn_is_taken(struct turn *t);

/* memory.c; the turn must be held */

/* The allocation that has [address, address + size), or NULL. */
struct space_range *
memory_find(const struct ventus_dev *d, uint64_t address, uint64_t size);

/* Do kernels not write memory of these flags? */
bool
memory_is_read_only(unsigned flags);

/* Narrow: at an address of 32 bits, for what launches use. */
uint64_t
memory_alloc(struct ventus_dev_context *c, uint64_t size, unsigned flags,
             bool narrow);

/*
 * The same at an address where kernels reach it, for what was recorded there:
 * `room` bytes, whole pages, of which `asked` may be used.
 */
bool
memory_place(struct ventus_dev_context *c, uint64_t address, uint64_t room,
             uint64_t asked, unsigned flags);

void
memory_free(struct ventus_dev *d, struct space_range *range);

bool
memory_write(struct ventus_dev *d, uint64_t address, const void *from,
             uint64_t size);

/*
 * For a launch in the context: exactly so large for programs.  Its contents
 * are lost if it grows.
 */
bool
scratch_use(struct ventus_dev_context *c, struct scratch *s, uint64_t size);

/* context.c; the turn must be held */

/* The context is about to have something. */
void
context_link(struct ventus_dev_context *c);

/* All contexts have nothing, as the machine has not. */
void
context_forget_all(struct ventus_dev *d);

/* program.c */

uint64_t
program_root(const struct ventus_dev_program *p);

struct ventus_dev_context *
program_context(const struct ventus_dev_program *p);

uint64_t
program_entry(const struct ventus_dev_program *p);

/* Start code for launches with lanes that have no work-item, on a machine that runs them;
 * 0: the program has other start code than lib/start.S, or the machine masks them. */
uint64_t
program_masked_entry(const struct ventus_dev_program *p);

const char *
program_name(const struct ventus_dev_program *p);

/* What its generic accesses of private memory access beside it; 0 bytes: there are none. */
uint64_t
program_nowhere(const struct ventus_dev_program *p, uint64_t *size_B);

struct ventus_dev_program *
program_next(const struct ventus_dev_program *p);

const struct elf *
program_elf(const struct ventus_dev_program *p);

const struct dwarf_lines *
program_lines(const struct ventus_dev_program *p);

/* Which of its addresses have memory. */
const struct segments *
program_segments(const struct ventus_dev_program *p);

/* Where that is; the address is one of code. */
uint64_t
program_physical(const struct ventus_dev_program *p, uint64_t address);

/* What was said of its instructions (padding.h). */
struct told *
program_told(struct ventus_dev_program *p);

/* Section .ventus.printf (docs/printf.md); NULL: it prints nothing. */
const struct elf_section *
program_formats(const struct ventus_dev_program *p);

/* A launch ended in the middle: what locks its threads held are free again. */
void
program_free_locks(struct ventus_dev_program *p);

/* The turn must be held. */
void
program_remove(struct ventus_dev_program *p);

/* check.c: fills the ticket from the launch, or says what is wrong with it. */
bool
check_launch(struct ventus_dev_ticket *t,
             const struct ventus_dev_launch *launch);

/* Bytes of a pointer in the argument buffer (docs/abi.md). */
uint32_t
launch_pointer_B(const struct ventus_dev_ticket *t,
                 enum ventus_dev_arg_kind kind);

/* launch.c: runs it and fills its result; the turn must be held. */
void
launch_run(struct ventus_dev_ticket *t);

/* stats.c */
void
stats_add_executed(struct ventus_dev_stats *to,
                   const struct ventus_sim_stats *s);

/* queue.c */
bool
queue_open(struct ventus_dev *d);

/* Of the clock that tickets are timed with. */
uint64_t
queue_now_ns(void);

/* Waits for all tickets that are in the queue now. */
void
queue_wait_all(struct ventus_dev *d);

void
queue_close(struct ventus_dev *d);

/*
 * record.c: the launch is about to run, its profile and traces are wanted; it
 * has run.
 */
void
record_begin(struct ventus_dev_ticket *t, struct engine_launch *b);

void
record_launch(struct ventus_dev_ticket *t);

/* places.c: for profiles; ctx is the program. */
bool
program_place(void *ctx, struct arena *a, uint64_t pc,
              struct profile_place *place);

/* nearby.c: the allocation that an argument's buffer, or the pixels of its image, are
 * in; NULL: none. */
const struct space_range *
nearby_range(const struct ventus_dev_ticket *t, size_t i);

/* nearby.c: the allocation that the address is in, or else is about; NULL: none. */
const struct space_range *
nearby_allocation(const struct ventus_dev_ticket *t, uint64_t address);

/* nearby.c: adds what the address is in; false: in nothing that is known. */
bool
nearby_inside(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);

/* nearby.c: if it is mapped, is it memory of the host program (host_memory)? */
bool
nearby_may_be_host(const struct ventus_dev_ticket *t, uint64_t address);

/* nearby.c: adds to the message what is at or near the fault's address. */
void
nearby_append(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);

/* fault.c: the work-item of f->group, f->warp and f->lane.  False: the lane has none
 * and runs because of all_lanes. */
bool
fault_find_item(const struct ventus_dev_ticket *t, struct ventus_dev_fault *f);

/* fault.c: adds the source place and the work-item of r->fault to the message. */
void
fault_add_place(const struct ventus_dev_ticket *t, struct ventus_dev_result *r);

/* fault.c: the message and the fault of the result. */
void
fault_report(struct ventus_dev_ticket *t, const struct engine_fault *f);
