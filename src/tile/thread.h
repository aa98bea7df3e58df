/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <assert.h>

#include <ventus/tile.h>

#include "base/arena.h"
#include "base/vec.h"
#include "tile/hart.h"
#include "tile/hazard.h"
#include "tile/memory.h"

/*
 * A machine, its threads, and the five queues of each.
 *
 *     hart -- issue.c --> queue of the unit --> unit_*.c: registers, memory
 *               `-- csr.c, sync.c: executed at once
 *
 * What an instruction takes from the core (x, f and v registers, tmask) is
 * captured when it is issued; tile registers and memory are read when it is
 * executed.  In mode inorder that is at once; in mode deferred when a t_wait,
 * a full queue or a result for the core forces it.
 */
enum {
    THREAD_QUEUES = 5, /* enum ventus_tile_unit: GLSU SLSU TMA MMA ALU */
    THREAD_RING = 32,  /* one more than the counters can count */
    THREAD_SYNCS = 32,
    THREAD_SEMAPHORES = 32,
    THREAD_ROWS_MAX = 64, /* 32-byte rows that one access can have */
};

/* An instruction under way, with what was captured at issue. */
struct thread_op {
    struct ventus_tile_insn in;
    enum ventus_tile_unit unit;
    uint64_t pc, seq;
    uint64_t a, b, c; /* x[rs1] or the address, x[rs2], x[rs3] */
    uint64_t tmask;   /* rows to act on; all ones if not masked */
    uint64_t tfcsr, tqcfg;
    uint32_t vl, group; /* TMA: its commit group, ~0 as long as open */
    uint64_t stride;    /* unit 1, stride x[rs2]; in rows */
    union {
        uint64_t index[THREAD_ROWS_MAX]; /* index mode */
        struct {
            uint8_t bytes[VENTUS_TILE_B];
            uint8_t mask[VENTUS_TILE_B / 8];
        } vector;                  /* moves and arithmetic */
        uint32_t descriptor[2][4]; /* MMA: A, B */
        struct {
            int32_t coord[4];
            uint32_t box[4];
            uint8_t map[64];
        } tma;
    };
};

struct thread_queue {
    struct thread_op op[THREAD_RING];
    unsigned first, count;
};

/* A t_sync that has arrived and waits for its generation. */
struct thread_waiting {
    bool on;
    unsigned scope, id;
    uint32_t mask;
    uint64_t generation;
};

struct tile_thread {
    struct hart hart; /* first: a hart's address is its thread's */
    struct ventus_tile_machine *machine;
    unsigned pe, index;
    bool running;
    uint64_t tmask, tfcsr, tqcfg;
    struct thread_waiting waiting;
    uint32_t bulk_open; /* bulk copies issued since the last commit */
    uint8_t tr[VENTUS_TILE_REGISTERS][VENTUS_TILE_B];
    struct thread_queue queue[THREAD_QUEUES];
    uint64_t csr_free; /* timing: when a TCSR can be read again */
    uint64_t done[CHECK_KINDS][THREAD_RING]; /* timing: of the last ones */
    uint64_t issued[CHECK_KINDS];
    struct check_thread check;
};

struct tile_sync {
    bool used;
    uint32_t mask;
    uint64_t arrivals[VENTUS_TILE_PES * VENTUS_TILE_THREADS];
};

struct tile_pe {
    uint64_t semaphore[THREAD_SEMAPHORES];
    struct tile_sync sync[THREAD_SYNCS];
    uint64_t unit_free[THREAD_QUEUES]; /* timing */
};

struct ventus_tile_machine {
    struct ventus_tile_options options;
    struct ventus_tile_timing costs;
    struct tile_memory memory;
    struct hart_code code;
    struct tile_pe pe[VENTUS_TILE_PES];
    struct tile_sync cluster[THREAD_SYNCS];
    struct tile_thread *thread;
    unsigned threads; /* of all PEs */
    uint64_t random;
    int status;
    bool ended;
    enum ventus_tile_end end;
    struct ventus_tile_fault fault;
    struct ventus_tile_stats stats;
    struct check check;
    struct arena arena;
    const void *elf; /* struct elf, for symbols */
};

/* The result of issuing an instruction. */
enum thread_result { THREAD_DONE, THREAD_AGAIN, THREAD_FAULT };

static inline struct tile_thread *
thread_of(struct hart *h)
{
    return (struct tile_thread *)h;
}

/* The next number of the machine's generator (xorshift64*). */
static inline uint64_t
thread_random(struct ventus_tile_machine *m)
{
    assert(m->random); /* 0 would stay 0 */
    m->random ^= m->random >> 12;
    m->random ^= m->random << 25;
    m->random ^= m->random >> 27;
    return m->random * UINT64_C(2685821657736338717);
}

/* ---- thread.c ---- */

/* Records a fault of the instruction that started at pc. */
enum thread_result
thread_fault(struct tile_thread *t, uint64_t pc, enum ventus_tile_cause cause,
             uint64_t value);

/* Counters of a queue count it as a load, as a store. */
bool
thread_is_load(const struct ventus_tile_insn *in);

bool
thread_is_store(const struct ventus_tile_insn *in);

/* ---- issue.c ---- */

enum thread_result
thread_issue(struct tile_thread *t, const struct ventus_tile_insn *in,
             uint64_t pc);

/* ---- queue.c ---- */

/* The slot for the next operation of a queue, which grows if it is full. */
struct thread_op *
tile_queue_reserve(struct tile_thread *t, enum ventus_tile_unit unit);

/* Takes it into the queue; executes it in mode inorder. */
enum thread_result
tile_queue_push(struct tile_thread *t, struct thread_op *op);

/* Executes the oldest operations until at most `left` are left. */
enum thread_result
tile_queue_drain(struct tile_thread *t, enum ventus_tile_unit unit,
                 unsigned left);

/* Executes until at most that many loads, stores of a space are left. */
enum thread_result
tile_queue_drain_memory(struct tile_thread *t, enum ventus_tile_unit unit,
                        int loads, int stores);

/* Loads (stores) of a queue that have not been executed. */
unsigned
tile_queue_count(const struct tile_thread *t, enum ventus_tile_unit unit,
                 bool stores);

/* Mode deferred: perhaps executes something, in no particular order. */
enum thread_result
tile_queue_shuffle(struct tile_thread *t);

/* ---- unit_*.c: execute what is captured ---- */

typedef enum thread_result
thread_execute(struct tile_thread *t, struct thread_op *op);

thread_execute unit_load, unit_store, unit_atom, unit_atomt, unit_tma;
thread_execute unit_mma, unit_mvt, unit_mvv, unit_mvx, unit_mvf;
thread_execute unit_alu1, unit_cvt, unit_alu2, unit_alu3;

/* Checks at issue what would fault at execution, and captures operands. */
thread_execute capture_access, capture_atom, capture_atomt, capture_tma;
thread_execute capture_mma, capture_move, capture_alu;

/* The address of row j, or of element j of a descriptor's tile. */
uint64_t
unit_row_address(const struct thread_op *op, unsigned j);

/* ---- executed at once ---- */

enum thread_result
csr_execute(struct tile_thread *t, const struct ventus_tile_insn *in,
            uint64_t pc);

enum thread_result
sync_execute(struct tile_thread *t, const struct ventus_tile_insn *in,
             uint64_t pc);

/* ---- timing.c ---- */

void
timing_issue(struct tile_thread *t, const struct thread_op *op);

/* Waits for all but the last `left` operations of that kind. */
void
timing_wait(struct tile_thread *t, enum check_kind kind, unsigned left);

void
timing_csr(struct tile_thread *t, const struct ventus_tile_insn *in);

/* ---- service.c ---- */

/* The ecall at the hart's pc. */
void
service_call(struct tile_thread *t);
