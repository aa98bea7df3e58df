/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/fifo.h"
#include "sim/step.h"

/*
 * The parts of the machine, in the order in which an instruction meets them.
 * Every part has a file; a cycle runs them from the end of the pipeline to its
 * start, so that each sees what the registers before it held when the cycle
 * began.  Times that a part writes down are cycles in which others may see it.
 */
struct sm;

enum { MAX_WARPS = 64, MAX_BANKS = 32, MAX_FLIGHTS = 80, NEVER = -1 };

/* ---- decode.c ---- */

enum branch_kind { BRANCH_NONE, BRANCH_SCALAR, BRANCH_VECTOR, BRANCH_JOIN };
enum fpu_kind { FPU_SHORT, FPU_ADD, FPU_FUSED };
enum read_kind { READ_NONE, READ_SCALAR, READ_VECTOR };

/* What the pipeline must know of an instruction. */
struct model_op {
    uint32_t pc;
    uint16_t op;
    uint8_t unit; /* enum isa_unit; SFU only for what iterates */
    uint8_t branch;
    bool skip; /* a prefix: taken out behind the decoder */
    bool known, barrier, ends, fence, memory, write, atomic, fp;
    uint8_t fpu; /* enum fpu_kind */
    bool vector;
    uint8_t aqrl, order; /* of atomics, of fences */
    bool scalar_port;    /* of two issue ports: sALU, CSR, warp control */
    bool writes_x, writes_v;
    uint8_t d;
    uint8_t read[4], reg[4]; /* src1, src2, src3 or stored, mask */
};

struct code {
    struct model_op *op;
    uint32_t base;
    unsigned n;
};

/* ---- fetch.c, ibuffer.c ---- */

struct fetch_request {
    bool valid;
    uint32_t pc; /* aligned to the pair */
    uint8_t mask, warp;
};

/* Two instructions, `op` and `op + 1`; NULL: nothing can be executed there. */
struct pair {
    const struct model_op *op;
    uint8_t mask;
};

struct icache_line {
    uint32_t tag;
    bool valid;
    uint64_t used;
};

struct icache_miss {
    bool valid, sent;
    uint32_t line;
    uint64_t at;
};

struct icache {
    struct icache_line *line;
    struct icache_miss miss[16];
    unsigned unsent;                   /* of them */
    struct fetch_request tagged, done; /* stages 1 and 2 */
    bool missed;                       /* of `done` */
    struct fifo response;
    uint32_t response_line[FIFO_MAX];
    uint32_t filled; /* line that came last, and when */
    uint64_t filled_at;
    int filled_entry;
    struct icache_line *filled_set, *filled_way;
    struct icache_line *hit_set; /* of the last hit, and when */
    uint64_t hit_at;
};

/* ---- warps ---- */

struct warp {
    bool resident, active, ended, waits; /* waits: at a barrier */
    uint32_t next_pc, issued_pc;         /* of the next issue and the last */
    uint64_t issued_at, age;             /* age: in order of launch */
    uint8_t issued_port;
    uint8_t shown; /* watch.c: the last cause, from 1 */
    uint64_t start_at;
    unsigned group, id; /* slot of its workgroup, number in it */
    uint32_t fetch_pc;
    uint8_t fetch_mask;
    struct pair buffer[8];
    struct fifo pairs;
    struct pair current; /* the slow-down register */
    bool stale;          /* its first one is checked while it is empty */
    /* scoreboard.c: cycle until which a register is not there */
    uint8_t x_busy[256], v_busy[256];
    bool branching, collecting, fencing;
    uint64_t jumped_at;
    enum model_stall why; /* when the cycle began */
};

/* An instruction between issue and its end. */
struct flight {
    const struct model_op *op;
    uint64_t id; /* in order of issue */
    uint8_t warp;
    bool jump, scalar;
    bool kept; /* by its unit, which gives it back */
    uint32_t target;
    uint64_t lanes; /* active */
    unsigned access_B;
    unsigned busy; /* cycles in the SFU */
    uint64_t at[64];
};

struct flights {
    struct flight at[MAX_FLIGHTS];
    uint8_t free[MAX_FLIGHTS];
    unsigned frees;
};

/* ---- collect.c ---- */

struct collector {
    enum { COLLECT_IDLE, COLLECT_ENTERS, COLLECT_READS, COLLECT_OUT } state;
    uint64_t since;
    uint64_t there[4]; /* when an operand has come */
    uint8_t missing;   /* operands that have not */
    uint8_t slot[4];   /* bank of each: 2 * bank + (is a vector) */
    struct flight *f;
};

/* Bits are collectors. */
struct collect {
    struct collector *at;
    uint64_t all, used, reading, out;
    uint64_t entering, arriving;   /* new; with an operand on its way */
    uint64_t wants[2 * MAX_BANKS]; /* who asks a bank */
    uint64_t asked;                /* bits of banks that somebody asks */
    unsigned next[2 * MAX_BANKS];  /* round robin of each bank */
};

/* ---- units.c ---- */

struct result {
    const struct model_op *op;
    uint8_t warp;
    uint64_t id;
};

enum unit_queue {
    Q_SALU,
    Q_VALU,
    Q_FPU,
    Q_LSU,
    Q_CSR,
    Q_SFU,
    Q_MUL,
    Q_TENSOR,
    QUEUES
};

struct branch {
    uint8_t warp;
    bool jump, none; /* none: nothing but the lock to release */
    uint32_t target;
    uint64_t id;
};

struct units {
    struct fifo out[QUEUES];
    unsigned full;         /* bits of queues that hold something */
    uint64_t free[QUEUES]; /* when the next may start */
    struct result result[QUEUES][FIFO_MAX];
    struct fifo scalar_branch, vector_branch, simt;
    struct branch sb[FIFO_MAX], vb[FIFO_MAX], st[FIFO_MAX];
    uint64_t sfu_free;
    bool x_free, v_free; /* write-back has room for the LSU */
};

/* ---- lsu.c ---- */

struct data_request {
    uint32_t line; /* address / line_B */
    uint64_t lanes;
    bool write, local, atomic;
    uint8_t entry;
};

struct lsu_entry {
    uint64_t wanted; /* lanes that are not there */
    struct result r;
};

struct lsu {
    struct fifo in;
    struct flight *queue[FIFO_MAX];
    enum { ADDR_IDLE, ADDR_SAVE, ADDR_SEND } addr;
    struct flight *f;
    uint64_t left;
    uint8_t entry;
    struct lsu_entry *table;
    uint64_t all, used, complete; /* bits of its entries */
    enum { REPLY_IDLE, REPLY_ADD, REPLY_READ, REPLY_OUT } reply;
    int reply_entry;
    struct lsu_entry pending; /* asked for in this cycle */
    bool was_out;             /* when the cycle began */
    const struct model_op *shown;
    uint8_t *outstanding; /* of each warp */
};

/* ---- l1d.c ---- */

struct dcache_line {
    uint32_t tag;
    bool valid, dirty;
    uint64_t used;
};

struct dcache_miss {
    bool valid;
    uint32_t line;
    unsigned n;
    struct data_request sub[16];
};

enum mem_op { MEM_GET, MEM_PUT, MEM_FLUSH };

struct mem_request {
    enum mem_op op;
    uint32_t line;
    uint8_t sm, cache, source; /* cache 0: instructions */
    bool reply;                /* a store that is answered when it leaves */
    struct data_request data;
};

struct write_entry {
    bool valid;
    uint32_t line;
};

struct dcache {
    struct dcache_line *line;
    struct dcache_miss miss[16];
    unsigned misses; /* valid ones */
    /* in: from the LSU; st1: tags were read; out: answers */
    struct fifo in, st1, out, queue, response;
    struct data_request in_at[FIFO_MAX], st1_at[FIFO_MAX], out_at[FIFO_MAX];
    struct mem_request queue_at[FIFO_MAX], response_at[FIFO_MAX];
    bool leaving; /* stage 3 */
    uint64_t leaving_at;
    struct mem_request leave, next_leave;
    bool next_leaves;
    struct write_entry write[16];
    unsigned writes;
    /* A line that came: its waiting requests are answered one a cycle. */
    struct dcache_miss fill;
    unsigned fill_next;
    bool fill_out; /* one of them leaves now */
    struct data_request fill_request;
    bool filled_before; /* one was answered in the last cycle */
    struct data_request filled_request;
    struct dcache_miss *closing; /* MSHR of that line: not free yet */
    uint64_t blocked_until;      /* tags are busy */
    bool write_waits;            /* a store to a line that is being read */
    bool late; /* it waited, and is looked up once more in the next cycle */
    struct data_request late_request;
    /* A register holds what stage 1 did: a hit waits there for its answer. */
    bool held, held_hit, answered;
    struct data_request held_request;
    bool status_was_odd;
    uint32_t probed; /* on the wires to the tags */
    bool probed_write;
    uint64_t inject_at;
    bool missed;     /* a load's miss was noted in this cycle */
    bool missed_new; /* and took an MSHR */
    uint32_t missed_line;
    bool victim_waits, victim_left; /* left: in this cycle */
    uint64_t victim_at;
    uint32_t victim;
    enum { FLUSH_NO, FLUSH_WANTED, FLUSH_WRITES, FLUSH_L2, FLUSH_DONE } flush;
    unsigned flush_next;
    uint64_t flush_at;
};

/* ---- local.c ---- */

enum { LOCAL_REQUESTS = 8, LOCAL_AHEAD = 128 };

struct local_request {
    struct data_request r;
    uint64_t since; /* first answer */
    unsigned rounds, given;
    uint8_t bank[64];
};

struct local {
    struct local_request at[LOCAL_REQUESTS];
    unsigned head, n;
    uint64_t busy[LOCAL_AHEAD]; /* cycle + 1 in which it takes nothing */
};

/* ---- sm.c ---- */

struct group {
    bool valid;
    unsigned warps, live, waiting;
    uint64_t number;
};

/* ---- tlb.c ---- */

enum { CACHE_TABLES = 2 }; /* who asks for a mem_request: a walk */

struct tlb_entry {
    uint64_t page, used;
    bool valid;
};

/* Of an SM, with the miss that is under way. */
struct tlb {
    struct tlb_entry *entry;
    enum {
        TLB_READY,
        TLB_LOOKS,  /* in the shared one, until `at` */
        TLB_QUEUES, /* for a walker */
        TLB_ASKS,   /* for an entry of a table */
        TLB_WAITS,
        TLB_ANSWERED
    } state;
    bool filled; /* the look-up that missed comes again */
    unsigned level;
    uint64_t page, table, at;
};

/* ---- rcc.c: what the L1D of an SM holds, of its own ---- */

enum { RCC_SWAPS = STEP_WORDS_MAX, RCC_RELEASE = 1, RCC_ACQUIRE = 2 };

enum rcc_effect { RCC_NOTHING, RCC_DRAIN, RCC_FLUSH, RCC_INVALIDATE };

struct rcc_line {
    uint64_t line; /* physical address / line_B */
    bool valid, dirty, swapped;
    uint64_t used;
    uint8_t *data, *written; /* written: of each byte */
};

struct rcc {
    /* Of the cache that keeps time: one effect after the other. */
    enum { RCC_IDLE, RCC_DRAINS, RCC_WAITS, RCC_WRITES, RCC_SETTLES } state;
    uint8_t effect[MAX_WARPS]; /* that a warp waits for */
    uint64_t arrived;          /* warps */
    unsigned warp, next;
    struct rcc_line *line;
    uint8_t *bytes, *saved;
    uint64_t clock;
    struct step_access access; /* physical addresses, or UINT64_MAX */
    struct rcc_line *swap[RCC_SWAPS];
    unsigned swaps;
};

/* ---- schedule.c ---- */

/* Issue ports; with one, everything goes through the first. */
enum { PORT_ANY, PORT_VECTOR = 0, PORT_SCALAR = 1, PORTS = 2 };

struct schedule {
    unsigned next, last; /* in turn, and who issued last */
    unsigned outer_next;
    uint64_t inner; /* warps of the inner set */
    uint64_t issued_at;
};

struct sm {
    struct model *m;
    unsigned id;
    unsigned warps, resident;
    struct warp *warp;
    struct icache icache;
    struct model_stats stats;
    /* Bits are warps. */
    uint64_t active, starting;
    uint64_t changed; /* whose readiness is to be found again */
    uint64_t why[MODEL_STALLS];
    uint64_t candidates, refills, fetches; /* when the cycle began */
    uint64_t queued, full;                 /* pairs in their queues */
    uint64_t flushed;                      /* in this cycle */
    uint64_t scalar_heads;                 /* candidates of the scalar port */
    struct schedule schedule[PORTS];
    uint64_t issues, ages;
    struct flights flights;
    struct collect collect;
    struct code *code; /* page that was fetched from last */
    struct units units;
    struct lsu lsu;
    struct dcache dcache;
    struct local local;
    struct rcc rcc;
    struct tlb tlb;
    struct group *group;
    struct sim_stepper *stepper;
    enum { SM_EMPTY, SM_RUNS, SM_DRAINS } state;
    uint64_t drained_at, idle_at;
    bool blocked;  /* branches wait: an I-cache miss comes back */
    bool branched; /* a branch took the warp scheduler this cycle */
};

static inline uint64_t
bit_of(unsigned i)
{
    return UINT64_C(1) << i;
}

static inline unsigned
lowest(uint64_t bits)
{
    return (unsigned)__builtin_ctzll(bits);
}

/* A warp's readiness may have changed. */
static inline void
warp_changed(struct sm *s, unsigned warp)
{
    s->changed |= bit_of(warp);
}

/* ---- l2.c ---- */

struct l2_mshr {
    bool ask, filled, write_tags;
    bool get, mixed; /* of who made it; mixed: others came, too */
    uint64_t ask_at, fill_at;
    uint32_t line;
    struct mem_request list[16];
    unsigned n;
};

struct l2 {
    struct l2_mshr *mshr;
    uint64_t valid, valid_before; /* bits of its MSHRs */
    unsigned mshrs, listed, puts;
    unsigned listed_before, puts_before; /* when the cycle began */
    unsigned last;                       /* MSHR that had its turn */
    struct fifo in, hits, writes;
    struct mem_request in_at[FIFO_MAX], hit_at[FIFO_MAX];
    uint32_t write_line[FIFO_MAX];
    bool looked; /* a request reads the directory */
    struct mem_request look;
    uint64_t look_at, dir_written;
    bool answering, answer_sent, answer_written, answer_from_memory;
    uint64_t answer_at, free_at;
    struct mem_request answer;
    bool flushing;
    uint64_t flushed_at;
    struct mem_request flush;
    struct dcache_line *line;
};

struct memory_request {
    uint64_t due; /* DRAM: UINT64_MAX until it was started */
    bool write;
    unsigned mshr;
    uint32_t line;
};

struct memory {
    unsigned n;
    uint64_t popped;
    struct memory_request at[64];
};

/* ---- dram.c ---- */

enum { DRAM_CHANNELS = 16, DRAM_BANKS = 64 };

struct dram_bank {
    bool open;
    uint32_t row;
    uint64_t ready_at; /* for its next command */
};

struct dram {
    uint64_t bus_free[DRAM_CHANNELS];
    struct dram_bank bank[DRAM_CHANNELS * DRAM_BANKS];
};

struct model {
    struct sim *sim;
    struct model_config config;
    struct sim_config machine;
    unsigned line_shift;
    unsigned passes; /* of a vector through a unit */
    uint64_t now;
    uint64_t age; /* cycles of all launches before */
    struct sm *sm;
    unsigned sms;
    struct l2 l2;
    struct memory memory;
    struct dram dram;
    struct tlb_entry *l2_tlb;
    unsigned walks; /* under way */
    bool bus_room;  /* when the cycle began */
    struct code *code;
    unsigned codes, codes_room;
    unsigned slots;
    const struct sim_launch *launch;
    uint64_t next_group, end_group, done_groups;
    uint64_t launch_at; /* when the host may ask for the next workgroup */
    unsigned preferred; /* SM that is asked first */
    const struct model_hooks *hooks;
    struct model_stats stats;
    struct sim_fault *fault;
    bool failed;
    uint64_t last_issue;
    const struct sim_hooks *host; /* as the caller gave them */
};

/* The cycle since the model was made. */
static inline uint64_t
age_of(const struct model *m)
{
    return m->age + m->now;
}

/* decode.c */
const struct model_op *
decode_at(struct sm *s, uint32_t pc);

void
decode_forget(struct model *m);

/* fetch.c */
void
fetch_cycle(struct sm *s);

void
fetch_begin(struct sm *s);

void
fetch_flush(struct sm *s, unsigned warp);

void
fetch_jump(struct sm *s, unsigned warp, uint32_t pc);

/* icache.c */
void
icache_cycle(struct sm *s);

bool
icache_lookup(struct sm *s, uint32_t pc);

void
icache_fill(struct sm *s);

void
icache_invalidate(struct sm *s);

/* The miss to ask for next, or NULL; and that it was asked for. */
struct icache_miss *
icache_wants(struct sm *s);

/* ibuffer.c */
void
ibuffer_push(struct sm *s, unsigned warp, uint32_t pc, unsigned mask);

void
ibuffer_flush(struct sm *s, unsigned warp);

void
ibuffer_cycle(struct sm *s);

/* The instruction that a warp would issue; NULL: none. */
static inline const struct model_op *
ibuffer_head(const struct warp *w)
{
    const struct pair *p = &w->current;
    return p->mask ? p->op + !(p->mask & 1) : w->stale ? p->op : NULL;
}

/* scoreboard.c */
enum model_stall
scoreboard_check(const struct warp *w, const struct model_op *op);

void
scoreboard_set(struct warp *w, const struct model_op *op);

void
scoreboard_clear(struct warp *w, const struct model_op *op);

/* issue.c */
void
issue_check(struct sm *s);

void
issue_cycle(struct sm *s);

/* schedule.c: a ready warp for a port, or NEVER; and that it issued */
int
schedule_choose(struct sm *s, unsigned port, uint64_t ready);

void
schedule_issued(struct sm *s, unsigned port, unsigned warp);

/* collect.c */
void
collect_cycle(struct sm *s);

void
collect_enter(struct sm *s, struct flight *f);

bool
collect_has_room(const struct sm *s);

struct flight *
flight_new(struct sm *s);

void
flight_free(struct sm *s, struct flight *f);

/* units.c */
void
units_writeback(struct sm *s);

void
units_branches(struct sm *s);

bool
units_take(struct sm *s, struct flight *f);

void
units_result(struct sm *s, enum unit_queue q, struct result r, unsigned cycles);

/* sfu.c */
void
sfu_measure(const struct sm *s, const struct warp *w, const struct model_op *o,
            uint8_t *cycles);

unsigned
sfu_busy(const struct sm *s, const struct flight *f, const uint8_t *cycles);

/* lsu.c */
bool
lsu_take(struct sm *s, struct flight *f);

void
lsu_cycle(struct sm *s);

void
lsu_offer(struct sm *s);

bool
lsu_is_empty(const struct sm *s);

/* local.c */
bool
local_is_ready(const struct sm *s);

void
local_take(struct sm *s, const struct data_request *d, const uint64_t *at);

bool
local_answer(struct sm *s, struct data_request *answer);

/* l1d.c */
void
dcache_cycle(struct sm *s);

void
dcache_advance(struct sm *s);

/*
 * The next dirty line from *next on goes to the L2 once there is room; false:
 * none is left.  And: all lines are invalid.
 */
bool
dcache_write_next(struct sm *s, unsigned *next);

void
dcache_forget(struct sm *s);

/*
 * rcc.c: around a step of an instruction that reads or writes memory; write
 * what is dirty back; and forget the rest, too.
 */
bool
rcc_create(struct sm *s);

void
rcc_destroy(struct sm *s);

void
rcc_reset(struct sm *s);

/* What is printed is read by the host: the caches are emptied before. */
void
rcc_wrap(struct model *m, struct sim_launch *launch, struct sim_hooks *hooks);

/* The host sees what all SMs wrote. */
void
rcc_end(struct model *m);

void
rcc_before(struct sm *s, const struct warp *w, const struct model_op *op);

void
rcc_after(struct sm *s, const struct model_op *op);

void
rcc_flush(struct sm *s);

void
rcc_invalidate(struct sm *s);

enum rcc_effect
rcc_effect(const struct model_op *op);

/* An instruction with an effect was issued; its warp waits for that. */
void
rcc_issued(struct sm *s, unsigned warp, const struct model_op *op);

/* It came to the LSU, where it begins. */
void
rcc_arrived(struct sm *s, unsigned warp);

/* Does the LSU take nothing, because a cache is flushed? */
static inline bool
rcc_blocks(const struct sm *s)
{
    return s->rcc.state > RCC_DRAINS;
}

void
rcc_cycle(struct sm *s);

/* tlb.c: is the page of a line translated?  If not, it will be. */
bool
tlb_create(struct sm *s);

void
tlb_reset(struct sm *s);

bool
tlb_ready(struct sm *s, uint32_t line);

void
tlb_cycle(struct sm *s);

/* Sends the request of a walk to the L2, if there is one; and its answer. */
bool
tlb_send(struct sm *s);

void
tlb_answer(struct sm *s);

/* bus.c: requests of an SM to the L2, answers to it */
void
bus_cycle(struct model *m);

bool
bus_is_ready(const struct sm *s);

bool
bus_answer(struct model *m, const struct mem_request *r);

/* l2.c */
void
l2_cycle(struct model *m);

/* memory.c */
bool
memory_ready(const struct model *m);

void
memory_ask(struct model *m, bool write, unsigned mshr, uint32_t line);

/* dram.c: starts requests */
void
dram_cycle(struct model *m);

void
memory_cycle(struct model *m);

/* cta.c */
void
cta_cycle(struct model *m);

void
cta_warp_ended(struct sm *s, unsigned warp);

void
cta_barrier(struct sm *s, unsigned warp);

void
cta_release(struct sm *s, unsigned group);

/* stats.c */
void
stats_count(struct sm *s);

void
stats_count_issue(struct sm *s, const struct flight *f);

void
stats_add_model(struct model_stats *to, const struct model_stats *from);

/* watch.c: tells who watches; nothing if nobody does */
static inline bool
is_watched(const struct model *m)
{
    return m->hooks && m->hooks->event;
}

void
watch_tell(const struct sm *s, struct model_event e);

/* An instruction got on: MODEL_EVENT_STARTED or _DONE. */
void
watch_flight(const struct sm *s, enum model_event_kind kind, unsigned warp,
             const struct model_op *op, uint64_t id);

/* At the end of an SM's cycle, whose issue slot was used for `why`. */
void
watch_slot(struct sm *s, enum model_stall why, unsigned port);

void
watch_memory(const struct model *m, enum model_event_kind kind);

/* check.c */
bool
check_config(const struct sim_config *machine, const struct model_config *c,
             char *text, size_t size);

void
report_deadlock(struct model *m);
