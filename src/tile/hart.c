/* SPDX-License-Identifier: Apache-2.0 */
/* Slots: finding, decoding and running them. */
#include "tile/hart.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/oom.h"
#include "isa/words.h"

/* ---- pages --------------------------------------------------------------- */

static struct hart_page *
new_page(struct hart_code *code, uint64_t base)
{
    assert(base % HART_PAGE_B == 0);
    struct hart_page *p = malloc(sizeof *p);
    if (!p)
        base_out_of_memory(1, sizeof *p);
    p->base = base;
    for (unsigned i = 0; i < HART_PAGE_B / 2 + HART_TAIL; i++)
        p->slot[i] = (struct hart_insn){ .fn = i < HART_PAGE_B / 2 ? exec_decode
                                                                   : exec_cross,
                                         .pc = base + 2 * i };
    struct hart_page **list = &code->page[base / HART_PAGE_B % HART_PAGE_HASH];
    p->next = *list;
    *list = p;
    return p;
}

const struct hart_insn *
hart_find(struct hart *h, uint64_t pc)
{
    uint64_t base = pc & ~(uint64_t)(HART_PAGE_B - 1);
    struct hart_page *p = h->code->page[pc / HART_PAGE_B % HART_PAGE_HASH];
    while (p && p->base != base)
        p = p->next;
    if (!p) {
        if (!memory_scalar(h->memory, h->pe, pc, 2)) {
            struct hart_insn here = { .pc = pc };
            return hart_fault(h, &here, VENTUS_TILE_CAUSE_FETCH, pc);
        }
        p = new_page(h->code, base);
    }
    return &p->slot[(pc - base) / 2];
}

void
hart_code_flush(struct hart_code *code)
{
    for (unsigned i = 0; i < HART_PAGE_HASH; i++) {
        for (struct hart_page *p = code->page[i], *next; p; p = next) {
            next = p->next;
            free(p);
        }
        code->page[i] = NULL;
    }
    code->tiles = 0;
}

void
hart_code_free(struct hart_code *code)
{
    hart_code_flush(code);
    free(code->tile);
    *code = (struct hart_code){ 0 };
}

/* ---- slots --------------------------------------------------------------- */

/* Up to four words at a pc; as many bytes as are there. */
static size_t
fetch(const struct hart *h, uint64_t pc, uint32_t words[VENTUS_TILE_WORDS_MAX])
{
    memset(words, 0, VENTUS_TILE_WORDS_MAX * sizeof *words);
    for (size_t n = VENTUS_TILE_WORDS_MAX * 4; n; n -= 2) {
        const uint8_t *at = memory_scalar(h->memory, h->pe, pc, n);
        if (at) {
            memcpy(words, at, n);
            return n;
        }
    }
    return 0;
}

static bool
translate_tile(struct hart *h, struct hart_insn *slot, const uint32_t *words,
               size_t count)
{
    struct hart_code *code = h->code;
    struct ventus_tile_insn in;
    if (!ventus_tile_decode(words, count, &in))
        return false;
    assert(in.size % 4 == 0 && in.size / 4 <= count);
    if (code->tiles == code->tiles_capacity) {
        unsigned capacity =
            code->tiles_capacity ? 2 * code->tiles_capacity : 64;
        struct ventus_tile_insn *tile =
            realloc(code->tile, capacity * sizeof in);
        if (!tile)
            base_out_of_memory(capacity, sizeof in);
        code->tile = tile;
        code->tiles_capacity = capacity;
    }
    assert(code->tiles < code->tiles_capacity);
    slot->imm = (int32_t)code->tiles;
    slot->size = in.size;
    slot->fn = exec_tile;
    code->tile[code->tiles++] = in;
    return true;
}

/* vmv.v.x and similar have no vm bit: they act on all elements. */
static bool
has_vm(const struct ventus_rv64_insn *in)
{
    const struct words_row *row = &rv64_words.rows[in->op];
    for (unsigned i = 0; i < row->fields; i++)
        if (rv64_words.fields[row->field[i]].kind == WORDS_VM)
            return true;
    return false;
}

/* Results for x0 go to a slot that is never read. */
static bool
writes_x(const struct ventus_rv64_insn *in)
{
    const struct words_row *row = &rv64_words.rows[in->op];
    for (unsigned i = 0; i < row->fields; i++) {
        const struct words_field *f = &rv64_words.fields[row->field[i]];
        if (f->where == offsetof(struct ventus_rv64_insn, rd))
            return f->kind == WORDS_X;
    }
    return true; /* c.j and c.jr have none and link x0 */
}

static bool
translate_rv64(struct hart_insn *slot, uint32_t word)
{
    struct ventus_rv64_insn in;
    if (!ventus_rv64_decode(word, &in))
        return false;
    ventus_rv64_fill(&in);
    slot->fn = hart_functions[in.op][in.size == 4];
    assert(slot->fn); /* each row of rv64.isa has both sizes */
    assert(in.size == 2 || in.size == 4);
    slot->op = in.op;
    slot->size = in.size;
    slot->imm = in.imm;
    slot->rd = in.rd == 0 && writes_x(&in) ? HART_SINK : in.rd;
    assert(slot->rd <= HART_SINK);
    slot->rs1 = in.rs1;
    slot->rs2 = in.rs2;
    slot->rs3 = in.rs3;
    slot->rm = in.rm;
    slot->vm = in.vm || !has_vm(&in);
    slot->aux = in.aux;
    if (ventus_rv64_flags_of(&in) & VENTUS_RV64_F_BRANCH) {
        uint64_t to = slot->pc + (uint64_t)(int64_t)in.imm;
        slot->aux = to / HART_PAGE_B == slot->pc / HART_PAGE_B;
    }
    return true;
}

/* The function of a slot that nothing has reached yet. */
const struct hart_insn *
exec_decode(struct hart *h, const struct hart_insn *i)
{
    /* Slots are the cache's own: only decoding writes them. */
    struct hart_insn *slot = (struct hart_insn *)(uintptr_t)i;
    assert(slot->fn == exec_decode); /* decoded once: others may have it */
    uint32_t words[VENTUS_TILE_WORDS_MAX];
    size_t n = fetch(h, i->pc, words);
    bool whole = n >= 4 || (n >= 2 && (words[0] & 3) != 3);
    bool done = false;
    if (whole && ventus_tile_is_word(words[0]))
        done = translate_tile(h, slot, words, n / 4);
    else if (whole)
        done = translate_rv64(slot, words[0]);
    if (!done)
        return hart_fault(
            h, i, n < 2 ? VENTUS_TILE_CAUSE_FETCH : VENTUS_TILE_CAUSE_ILLEGAL,
            n < 2 ? i->pc : words[0]);
    return slot->fn(h, slot);
}

/* The slots after the last one of a page. */
const struct hart_insn *
exec_cross(struct hart *h, const struct hart_insn *i)
{
    assert(i->pc % HART_PAGE_B < 2 * HART_TAIL); /* the next page's first */
    const struct hart_insn *next = hart_find(h, i->pc);
    return next ? next->fn(h, next) : NULL;
}

void
hart_reset(struct hart *h, uint64_t pc)
{
    memset(h->x, 0, sizeof h->x);
    memset(h->f, 0, sizeof h->f);
    memset(h->v, 0, sizeof h->v);
    h->pc = pc;
    h->reserved = ~UINT64_C(0);
    h->vtype = 1u << 31;
    h->stop = HART_RUNS;
}

void
hart_run(struct hart *h, uint64_t count)
{
    uint64_t left = count;
    h->stop = HART_RUNS;
    h->reserved = ~UINT64_C(0);
    const struct hart_insn *i = hart_find(h, h->pc);
    h->counted = false;
    for (;;) {
        while (i && left) {
            left--;
            i = i->fn(h, i);
        }
        if (i || h->stop != HART_COUNTS)
            break;
        left++; /* it has not been executed */
        h->instret += count - left;
        count = left;
        h->counted = true;
        h->stop = HART_RUNS;
        i = hart_find(h, h->pc);
    }
    if (i)
        h->pc = i->pc;
    assert(h->x[0] == 0); /* results for it go to HART_SINK */
    h->instret += count - left - (h->stop == HART_WAITS);
}
