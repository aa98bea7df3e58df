/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoded code: a page of instructions is decoded when it is first executed
 * and kept for later launches as long as memory still holds the same words.
 *
 * All host threads share the pages.  They are made under a lock and not
 * changed while a launch runs; each thread caches those it used last.  Stores to
 * code take effect in the next launch.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/held.h"
#include "sim/bind.h"
#include "sim/checkpoint.h"
#include "sim/state.h"

/* Reads the words of a page that may be executed; the number of them. */
static unsigned
fetch_words(const struct sim_mem *mem, uint64_t ptbr, uint32_t base,
            uint32_t *words, unsigned n, enum ventus_sim_fault_kind *why)
{
    struct sim_span span;
    uint64_t physical;
    *why = mmu_translate(mem, ptbr, base, VENTUS_SIM_EXEC, MMU_BOUND, &span,
                         &physical);
    if (*why)
        return 0;
    const uint8_t *host = span.host + (base - span.lo);
    assert(base % SIM_PAGE == 0 && n <= CODE_WORDS);
    assert(span.size - (base - span.lo) >= n * sizeof *words);
    if (mem->checkpoint)
        checkpoint_on_read(mem->checkpoint, host);
    memcpy(words, host, n * sizeof *words);
    return n;
}

/* The words of a page, and one of the next if it can be executed too. */
static unsigned
fetch_page(const struct sim_mem *mem, uint64_t ptbr, uint32_t base,
           uint32_t *words, enum ventus_sim_fault_kind *why)
{
    enum ventus_sim_fault_kind next;
    if (base - SIM_LOCAL_BASE < SIM_LOCAL_SIZE) {
        *why = VENTUS_SIM_FAULT_PERMISSION;
        return 0;
    }
    unsigned n = fetch_words(mem, ptbr, base, words, CODE_WORDS, why);
    if (n && base + SIM_PAGE - SIM_LOCAL_BASE >= SIM_LOCAL_SIZE)
        n += fetch_words(mem, ptbr, base + SIM_PAGE, words + n, 1, &next);
    return n;
}

/* After the last op of a page: on to the next page. */
static const struct sim_op *
next_page(struct sim_warp *w, const struct sim_op *op)
{
    w->left++; /* this is no instruction */
    return warp_jump_far(w, op, op->pc);
}

/* Vector registers up to the last that an instruction can touch. */
static unsigned
touched_rows(const struct ventus_isa_insn *in)
{
    unsigned last = 0;
    for (unsigned slot = 0; slot < 4; slot++)
        if (in->op && bind_is_vector(in, (enum ventus_isa_slot)slot) &&
            in->reg[slot] > last)
            last = in->reg[slot];
    unsigned rows = last + 4; /* an access may have up to four registers */
    return rows < SIM_VREGS ? rows : SIM_VREGS;
}

static void
decode_page(struct ventus_sim *sim, struct sim_code_page *p)
{
    assert_held(&sim->code.lock); /* others may look for this page */
    assert(p->n == CODE_WORDS || p->n == CODE_WORDS + 1);
    unsigned rows = atomic_load(&sim->code.rows);
    for (unsigned i = 0; i < CODE_WORDS; i++) {
        struct ventus_isa_insn in;
        unsigned n =
            ventus_isa_decode(sim->config.isa, p->words + i, p->n - i, &in);
        bind_op(sim, p->base + 4 * i, n, &in, &p->ops[i]);
        if (touched_rows(&in) > rows)
            rows = touched_rows(&in);
    }
    assert(rows <= SIM_VREGS);
    atomic_store(&sim->code.rows, rows);
    for (unsigned i = CODE_WORDS; i < CODE_WORDS + 2; i++)
        p->ops[i] = (struct sim_op){ .fn = next_page,
                                     .pc = p->base + 4 * i,
                                     .words = 1 };
}

static struct sim_code_page *
find_page(const struct sim_code *c, uint32_t base)
{
    uint32_t row;
    hash_each (&c->index, hash_u64(base), row)
        if (c->page[row]->base == base)
            return c->page[row];
    return NULL;
}

/* A page that is not valid yet; NULL: no host memory. */
static struct sim_code_page *
add(struct sim_code *c, uint32_t base)
{
    assert_held(&c->lock);
    assert(base % SIM_PAGE == 0);
    if (c->n == c->cap) {
        size_t cap = c->cap ? 2 * c->cap : 32;
        struct sim_code_page **page =
            realloc(c->page, cap * sizeof(struct sim_code_page *));
        if (!page)
            return NULL;
        c->page = page;
        c->cap = cap;
    }
    struct sim_code_page *p = calloc(1, sizeof *p);
    if (!p || !hash_add(&c->index, hash_u64(base), c->n)) {
        free(p);
        return NULL;
    }
    assert(c->n < c->cap);
    p->base = base;
    c->page[c->n++] = p;
    return p;
}

/* With the lock held: the page as memory has it; NULL and *why. */
static struct sim_code_page *
get_page(struct sim_worker *k, uint32_t base, enum ventus_sim_fault_kind *why)
{
    struct sim_code *c = &k->sim->code;
    assert_held(&c->lock);
    struct sim_code_page *p = find_page(c, base);
    if (p && p->valid)
        return p;
    uint32_t words[CODE_WORDS + 1];
    unsigned n =
        fetch_page(&k->sim->mem, k->run->launch.ptbr, base, words, why);
    if (!n)
        return NULL;
    if (!p)
        p = add(c, base);
    if (!p) {
        *why = VENTUS_SIM_FAULT_MEMORY;
        return NULL;
    }
    p->n = n;
    memcpy(p->words, words, n * sizeof *words);
    for (unsigned i = 0; i < CODE_WORDS / 64; i++)
        atomic_init(&p->named[i], 0);
    decode_page(k->sim, p);
    p->valid = true;
    p->fresh = k->sim->mem.checkpoint != NULL;
    return p;
}

const struct sim_code_page *
code_page(struct sim_worker *k, uint32_t pc, enum ventus_sim_fault_kind *why)
{
    uint32_t base = pc / SIM_PAGE * SIM_PAGE;
    unsigned slot = base / SIM_PAGE % CODE_RECENT;
    *why = VENTUS_SIM_FAULT_NONE;
    if (k->recent[slot] && k->recent[slot]->base == base)
        return k->recent[slot];
    struct guard_lock held;
    guard_lock(&held, &k->sim->code.lock);
    struct sim_code_page *p = get_page(k, base, why);
    guard_unlock(&held);
    if (p)
        k->recent[slot] = p;
    assert(!p || p->base == base);
    return p;
}

sim_fn *
code_replace(struct sim_worker *k, uint32_t pc, sim_fn *fn)
{
    enum ventus_sim_fault_kind why;
    if (pc % 4 || !code_page(k, pc, &why))
        return NULL;
    struct guard_lock held;
    guard_lock(&held, &k->sim->code.lock);
    struct sim_code_page *p =
        find_page(&k->sim->code, pc / SIM_PAGE * SIM_PAGE);
    assert(p && p->valid);
    struct sim_op *op = &p->ops[pc % SIM_PAGE / 4];
    sim_fn *old = op->fn;
    op->fn = fn;
    guard_unlock(&held);
    return old;
}

/* ---- joins ---- */

enum { LOOK_BACK = CODE_WORDS, SCAN_PAGES = 1024 };

/*
 * Where the setrpc in words[i] points, if an upper immediate before it says,
 * with or without an addi after that: right before it, or at the start of the
 * kernel, as far away as setrpc can point.
 */
static bool
setrpc_target(const struct ventus_sim *sim, const uint32_t *words, unsigned i,
              uint32_t base, uint32_t *target)
{
    struct ventus_isa_insn in, upper;
    ventus_isa_decode_word(sim->config.isa, words[i], &in);
    if (in.op != VENTUS_ISA_SETRPC)
        return false;
    for (unsigned k = 1; k <= LOOK_BACK && k <= i; k++) {
        ventus_isa_decode_word(sim->config.isa, words[i - k], &upper);
        if ((upper.op != VENTUS_ISA_AUIPC && upper.op != VENTUS_ISA_LUI) ||
            upper.reg[VENTUS_ISA_SLOT_D] != in.reg[VENTUS_ISA_SLOT_1])
            continue;
        struct ventus_isa_insn prefix; /* it is of another register then */
        if (k < i) {
            ventus_isa_decode_word(sim->config.isa, words[i - k - 1], &prefix);
            if (ventus_isa_is_prefix((enum ventus_isa_op)prefix.op))
                continue;
        }
        uint32_t pc = upper.op == VENTUS_ISA_AUIPC ? base + 4 * (i - k) : 0;
        *target = pc + ((uint32_t)upper.imm << 12) + (uint32_t)in.imm;
        struct ventus_isa_insn add;
        ventus_isa_decode_word(sim->config.isa, words[i - k + 1], &add);
        if (add.op == VENTUS_ISA_ADDI &&
            add.reg[VENTUS_ISA_SLOT_D] == in.reg[VENTUS_ISA_SLOT_1] &&
            add.reg[VENTUS_ISA_SLOT_1] == in.reg[VENTUS_ISA_SLOT_1])
            *target += (uint32_t)add.imm;
        return true;
    }
    return false;
}

/* Looks at the code around pc, page by page in one direction. */
static bool
scan(struct sim_worker *k, uint32_t base, int step, uint32_t pc)
{
    /* The end of the page before, then the page: a pair may span both. */
    uint32_t words[LOOK_BACK + CODE_WORDS + 1];
    for (unsigned page = 0; page < SCAN_PAGES; page++, base += (uint32_t)step) {
        enum ventus_sim_fault_kind why;
        uint32_t before[CODE_WORDS + 1], target;
        const struct sim_mem *mem = &k->sim->mem;
        uint64_t ptbr = k->run->launch.ptbr;
        if (!fetch_page(mem, ptbr, base, words + LOOK_BACK, &why))
            return false;
        unsigned first = LOOK_BACK;
        if (fetch_page(mem, ptbr, base - SIM_PAGE, before, &why)) {
            memcpy(words, before + CODE_WORDS - LOOK_BACK,
                   sizeof *words * LOOK_BACK);
            first = 0;
        }
        for (unsigned i = LOOK_BACK; i < LOOK_BACK + CODE_WORDS; i++)
            if (setrpc_target(k->sim, words + first, i - first,
                              base - 4 * (LOOK_BACK - first), &target) &&
                target == pc)
                return true;
    }
    return true; /* more code than is scanned: the join passes */
}

bool
code_names_join(struct sim_worker *k, const struct sim_code_page *page,
                uint32_t pc)
{
    assert(pc - page->base < SIM_PAGE && pc % 4 == 0);
    struct sim_code_page *p = (struct sim_code_page *)(uintptr_t)page;
    unsigned i = (pc - p->base) / 4;
    uint64_t bit = UINT64_C(1) << i % 64;
    if (atomic_load_explicit(&p->named[i / 64], memory_order_relaxed) & bit)
        return true;
    bool found = scan(k, p->base, SIM_PAGE, pc) ||
                 scan(k, p->base - SIM_PAGE, -SIM_PAGE, pc);
    if (found)
        atomic_fetch_or_explicit(&p->named[i / 64], bit, memory_order_relaxed);
    return found;
}

bool
code_validate(struct ventus_sim *sim, uint64_t ptbr)
{
    struct sim_code *c = &sim->code;
    bool same = true;
    for (size_t i = 0; i < c->n; i++) {
        struct sim_code_page *p = c->page[i];
        bool was = p->valid;
        uint32_t words[CODE_WORDS + 1];
        enum ventus_sim_fault_kind why;
        unsigned n = fetch_page(&sim->mem, ptbr, p->base, words, &why);
        p->valid =
            n && n == p->n && memcmp(words, p->words, n * sizeof *words) == 0;
        same &= p->valid || !was;
    }
    return same;
}

void
code_settle(struct ventus_sim *sim, bool rolled_back)
{
    for (size_t i = 0; i < sim->code.n; i++) {
        struct sim_code_page *p = sim->code.page[i];
        if (p->fresh && rolled_back)
            p->n = 0; /* no memory is like that */
        p->fresh = false;
    }
}

void
code_free(struct sim_code *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->page[i]);
    free(c->page);
    hash_free(&c->index);
    c->page = NULL;
    c->n = c->cap = 0;
}
