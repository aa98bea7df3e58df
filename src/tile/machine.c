/* SPDX-License-Identifier: Apache-2.0 */
/* Machines: creating, loading, and whose turn it is. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "isa/words.h"
#include "obj/elf.h"
#include "tile/check.h"
#include "tile/load.h"
#include "tile/thread.h"

enum {
    TURN = 20000,     /* instructions in a turn, one thread after the other */
    TURN_SEEDED = 64, /* at most, in mode deferred */
    STACK_B = 256 << 10,
};

static void
default_costs(struct ventus_tile_timing *t)
{
    for (unsigned i = 0; i < VENTUS_TILE_LAT_COUNT; i++) {
        t->latency[i] = tile_words.latencies[i].cycles;
        t->interval[i] = tile_words.latencies[i].interval;
    }
}

static bool
create_threads(struct ventus_tile_machine *m)
{
    struct ventus_tile_options *o = &m->options;
    m->threads = o->pes * o->threads;
    assert(m->threads > 0 &&
           m->threads <= VENTUS_TILE_PES * VENTUS_TILE_THREADS);
    m->thread = calloc(m->threads, sizeof *m->thread);
    if (!m->thread)
        return false;
    uint64_t fast = m->memory.ram_size - MEMORY_BASE - 7;
    for (unsigned i = 0; i < m->threads; i++) {
        struct tile_thread *t = &m->thread[i];
        t->machine = m;
        t->pe = t->hart.pe = i / o->threads;
        t->index = t->hart.thread = i % o->threads;
        t->hart.ram = m->memory.ram;
        t->hart.fast = o->check ? 0 : fast;
        t->hart.code = &m->code;
        t->hart.memory = &m->memory;
        t->tmask = ~UINT64_C(0);
        t->bulk_open = 0;
    }
    return true;
}

struct ventus_tile_machine *
ventus_tile_create(const struct ventus_tile_options *options)
{
    struct ventus_tile_machine *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->options = *options;
    struct ventus_tile_options *o = &m->options;
    o->pes = o->pes ? o->pes : 1;
    o->threads = o->threads ? o->threads : 1;
    m->random = o->seed * 2 + 1;
    if (o->costs)
        m->costs = *o->costs;
    else
        default_costs(&m->costs);
    if (o->pes > VENTUS_TILE_PES || o->threads > VENTUS_TILE_THREADS ||
        !memory_create(&m->memory, o) || !create_threads(m) ||
        !check_create(m)) {
        ventus_tile_destroy(m);
        return NULL;
    }
    return m;
}

void
ventus_tile_destroy(struct ventus_tile_machine *m)
{
    if (!m)
        return;
    check_destroy(m);
    hart_code_free(&m->code);
    memory_destroy(&m->memory);
    arena_free(&m->arena);
    free(m->thread);
    free(m);
}

static bool
load_segment(struct ventus_tile_machine *m, const struct elf *e,
             const struct elf_segment *s, struct diag_sink *sink)
{
    if (s->type != ELF_PT_LOAD || !s->mem_size)
        return true;
    uint8_t *to =
        memory_tile(&m->memory, MEMORY_GLOBAL, 0, s->vaddr, s->mem_size);
    if (!to) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = e->file },
                    "segment 0x%llx + 0x%llx is not in memory "
                    "(0x%llx to 0x%llx)",
                    (unsigned long long)s->vaddr,
                    (unsigned long long)s->mem_size,
                    (unsigned long long)MEMORY_BASE,
                    (unsigned long long)m->memory.ram_size);
        return false;
    }
    assert(s->file_size <= s->mem_size); /* obj/elf.c refuses others */
    memcpy(to, s->contents, s->file_size);
    return true;
}

/* Each thread's stack is below the one before it, at the end of memory. */
static void
start_threads(struct ventus_tile_machine *m, uint64_t entry)
{
    for (unsigned i = 0; i < m->threads; i++) {
        struct tile_thread *t = &m->thread[i];
        hart_reset(&t->hart, entry);
        t->hart.x[2] = m->memory.ram_size - (uint64_t)STACK_B * i - 64;
        t->running = true;
    }
}

/* In all no more than memory: headers alone could ask for any number of
 * copies. */
static bool
check_segments(const struct ventus_tile_machine *m, const struct elf *e,
               struct diag_sink *sink)
{
    uint64_t left = m->memory.ram_size;
    for (size_t i = 0; i < e->n_segments; i++) {
        const struct elf_segment *s = &e->segment[i];
        if (s->type != ELF_PT_LOAD)
            continue;
        if (s->mem_size > m->memory.ram_size)
            return true; /* load_segment says so */
        if (s->mem_size > left) {
            diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = e->file },
                        "segments: expected 0x%llx bytes in all at most, the "
                        "size of memory",
                        (unsigned long long)m->memory.ram_size);
            return false;
        }
        left -= s->mem_size;
    }
    return true;
}

static bool
load(struct ventus_tile_machine *m, const char *name, const uint8_t *image,
     size_t size, struct diag_sink *sink)
{
    struct elf *e = arena_new(&m->arena, struct elf, 1);
    if (!elf_read(&m->arena, name, image, size, e, sink))
        return false;
    if (!e->is_64 || e->machine != ELF_EM_RISCV || e->type != ELF_ET_EXEC) {
        diag_report(sink, DIAG_ERROR, (struct diag_at){ .file = name },
                    "expected a linked 64-bit RISC-V program");
        return false;
    }
    if (!check_segments(m, e, sink))
        return false;
    for (size_t i = 0; i < e->n_segments; i++)
        if (!load_segment(m, e, &e->segment[i], sink))
            return false;
    m->elf = e;
    start_threads(m, e->entry);
    return true;
}

struct loading {
    struct ventus_tile_machine *machine;
    const char *name;
    const uint8_t *image;
    size_t size;
    struct diag_sink *sink;
    bool ok;
};

static void
load_program(void *ctx)
{
    struct loading *l = ctx;
    l->ok = load(l->machine, l->name, l->image, l->size, l->sink);
}

bool
tile_load(struct ventus_tile_machine *m, const char *name, const uint8_t *image,
          size_t size, struct diag_sink *sink)
{
    struct loading l = { m, name, image, size, sink, false };
    if (oom_call(load_program, &l))
        return l.ok;
    diag_out_of_memory(sink);
    return false;
}

void
ventus_tile_set_arguments(struct ventus_tile_machine *m, const uint64_t *args,
                          unsigned n)
{
    for (unsigned i = 0; i < m->threads; i++)
        for (unsigned a = 0; a < n && a < 8; a++)
            m->thread[i].hart.x[10 + a] = args[a];
}

/* ---- turns --------------------------------------------------------------- */

static uint64_t
turn_length(struct ventus_tile_machine *m)
{
    if (m->options.timing)
        return 1;
    if (m->options.mode == VENTUS_TILE_INORDER)
        return TURN;
    return 1 + thread_random(m) % TURN_SEEDED;
}

/* After a hart has stopped; true if the thread got any further. */
static bool
settle(struct tile_thread *t)
{
    struct ventus_tile_machine *m = t->machine;
    switch (t->hart.stop) {
    case HART_RUNS:
        return tile_queue_shuffle(t) != THREAD_FAULT;
    case HART_ECALL:
        service_call(t);
        return true;
    case HART_WAITS:
        return false;
    case HART_COUNTS:
        assert(!"a stop that hart_run deals with");
        return false;
    case HART_FAULT:
        m->fault = t->hart.fault;
        assert(t->hart.fault.pe == t->pe && t->hart.fault.thread == t->index);
        m->ended = true;
        m->end = VENTUS_TILE_FAULTED;
        return true;
    }
    return true;
}

static bool
turn(struct tile_thread *t)
{
    assert(t->running && !t->machine->ended);
    uint64_t before = t->hart.instret;
    hart_run(&t->hart, turn_length(t->machine));
    t->machine->stats.instructions += t->hart.instret - before;
    bool further = settle(t);
    return further || t->hart.instret != before;
}

/* Runs each thread for one turn; false if none got any further. */
static bool
round_of_turns(struct ventus_tile_machine *m, bool *alive)
{
    bool further = false;
    unsigned from = 0;
    if (m->options.mode == VENTUS_TILE_DEFERRED)
        from = (unsigned)(thread_random(m) % m->threads);
    *alive = false;
    for (unsigned i = 0; i < m->threads && !m->ended; i++) {
        struct tile_thread *t = &m->thread[(from + i) % m->threads];
        if (!t->running)
            continue;
        *alive = true;
        further |= turn(t);
    }
    return further;
}

/* In timing mode the thread that is furthest behind continues. */
static bool
timed_turn(struct ventus_tile_machine *m, bool *alive)
{
    assert(m->options.timing);
    struct tile_thread *next = NULL;
    *alive = false;
    for (unsigned i = 0; i < m->threads; i++) {
        struct tile_thread *t = &m->thread[i];
        if (t->running && (!next || t->hart.cycle < next->hart.cycle))
            next = t;
    }
    if (!next)
        return false;
    *alive = true;
    next->hart.cycle++;
    turn(next);
    if (next->hart.stop != HART_WAITS)
        return true;
    /* The thread waits for others; one of them may be able to continue. */
    for (unsigned i = 0; i < m->threads; i++)
        if (m->thread[i].running && m->thread[i].hart.stop != HART_WAITS)
            return true;
    bool some;
    return round_of_turns(m, &some);
}

struct running {
    struct ventus_tile_machine *machine;
    uint64_t stop;
    bool limited;
};

static void
run_threads(void *ctx)
{
    struct running *r = ctx;
    struct ventus_tile_machine *m = r->machine;
    bool alive = true;
    while (!m->ended && alive) {
        r->limited = m->stats.instructions >= r->stop;
        if (r->limited)
            return;
        bool further = m->options.timing ? timed_turn(m, &alive)
                                         : round_of_turns(m, &alive);
        if (!further && alive && !m->ended) {
            m->ended = true;
            m->end = VENTUS_TILE_DEADLOCK;
        }
    }
}

enum ventus_tile_end
ventus_tile_run(struct ventus_tile_machine *m, uint64_t limit)
{
    struct running r = { m, ~UINT64_C(0), false };
    if (limit)
        r.stop = m->stats.instructions + limit;
    if (!oom_call(run_threads, &r))
        m->end = VENTUS_TILE_NO_MEMORY;
    else if (r.limited)
        return VENTUS_TILE_LIMIT;
    if (m->end == VENTUS_TILE_EXITED && m->check.hazards)
        m->end = VENTUS_TILE_HAZARD;
    m->ended = true;
    return m->end;
}

/* ---- what a caller may ask ----------------------------------------------- */

bool
ventus_tile_read(const struct ventus_tile_machine *m, uint64_t at, void *to,
                 size_t size)
{
    const uint8_t *from = memory_scalar(&m->memory, 0, at, size);
    if (from)
        memcpy(to, from, size);
    return from != NULL;
}

bool
ventus_tile_write(struct ventus_tile_machine *m, uint64_t at, const void *from,
                  size_t size)
{
    uint8_t *to = memory_scalar(&m->memory, 0, at, size);
    if (to)
        memcpy(to, from, size);
    return to != NULL;
}

uint64_t
ventus_tile_symbol(const struct ventus_tile_machine *m, const char *name)
{
    const struct elf_symbol *s = m->elf ? elf_find_symbol(m->elf, name) : NULL;
    return s ? s->value : 0;
}

const struct ventus_tile_fault *
ventus_tile_fault_of(const struct ventus_tile_machine *m)
{
    return &m->fault;
}

const struct ventus_tile_hazard *
ventus_tile_hazards(const struct ventus_tile_machine *m, size_t *count)
{
    assert(m->check.hazards <= CHECK_HAZARDS_MAX);
    *count = m->check.hazards;
    return m->check.hazard;
}

const struct ventus_tile_stats *
ventus_tile_stats_of(struct ventus_tile_machine *m)
{
    m->stats.cycles = 0;
    for (unsigned i = 0; i < m->threads; i++)
        if (m->thread[i].hart.cycle > m->stats.cycles)
            m->stats.cycles = m->thread[i].hart.cycle;
    return &m->stats;
}

int
ventus_tile_status(const struct ventus_tile_machine *m)
{
    return m->status;
}
