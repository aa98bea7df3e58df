/* SPDX-License-Identifier: Apache-2.0 */
/* Findings: the same mistake at the same place is one, with a count. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "sanitize/state.h"

#define X(name, kind, id, text) id,
static const char *const ids[] = { SANITIZE_LIST(X) };
#undef X
#define X(name, kind, id, text) text,
static const char *const texts[] = { SANITIZE_LIST(X) };
#undef X
#define X(name, kind, id, text) SANITIZE_##kind,
static const enum sanitize_kind kinds[] = { SANITIZE_LIST(X) };
#undef X

const char *
sanitize_id(enum sanitize_what what)
{
    assert(what < SANITIZE_WHATS);
    return ids[what];
}

const char *
sanitize_text(enum sanitize_what what)
{
    assert(what < SANITIZE_WHATS);
    return texts[what];
}

enum sanitize_kind
sanitize_kind_of(enum sanitize_what what)
{
    assert(what < SANITIZE_WHATS);
    return kinds[what];
}

uint64_t
sanitize_count(const struct sanitize *c, size_t number)
{
    assert(number < c->rows);
    return c->row[number].count;
}

struct sanitize_party
sanitize_party(const struct sim_warp *w, const struct sim_op *op, int lane)
{
    const struct sanitize_operands *o = &sanitize_operands[op->code];
    assert(lane < (int)w->num_thread);
    return (struct sanitize_party){ .known = true,
                                    .pc = op->pc,
                                    .group = w->group->number,
                                    .warp = w->id,
                                    .lane = lane,
                                    .write = o->store,
                                    .atomic = o->atomic };
}

/* The row of the finding, added if it is new; NULL: no host memory. */
static struct sanitize_row *
row_of(struct sanitize *c, const struct sanitize_row *key)
{
    uint32_t row, hash = hash_u64(key->pc ^ key->other << 20 ^
                                  key->kernel << 40 ^ (uint64_t)key->what);
    hash_each (&c->index, hash, row) {
        struct sanitize_row *r = &c->row[row];
        if (r->pc == key->pc && r->other == key->other &&
            r->kernel == key->kernel && r->what == key->what)
            return r;
    }
    if (c->rows == c->rows_cap) {
        size_t cap = c->rows_cap ? 2 * c->rows_cap : 16;
        struct sanitize_row *more = realloc(c->row, cap * sizeof *more);
        if (!more)
            return NULL;
        c->row = more;
        c->rows_cap = cap;
    }
    if (!hash_add(&c->index, hash, c->rows))
        return NULL;
    c->row[c->rows] = *key;
    return &c->row[c->rows++];
}

/* The instruction with its prefix, as the page has it. */
static void
decode(const struct sim_warp *w, uint64_t pc, struct ventus_isa_insn *in)
{
    const struct sim_code_page *p = w->page;
    size_t i = p ? (pc - p->base) / 4 : 0; /* CODE_WORDS: after a prefix */
    if (!p || i >= p->n)
        return;
    ventus_isa_decode_word(w->worker->sim->config.isa, p->words[i], in);
    const struct sim_op *op = &p->ops[i];
    if (op->words < 2 && i && p->ops[i - 1].words == 2)
        ventus_isa_decode(w->worker->sim->config.isa, p->words + i - 1,
                          p->n - i + 1, in);
}

void
sanitize_note(struct sanitize *c, const struct sim_warp *w,
              const struct sanitize_finding *finding)
{
    const unsigned told = c->options.kinds & ~c->options.untold;
    if (c->quiet_again || !(told & sanitize_kind_of(finding->what)))
        return;
    const struct ventus_sim_launch *l = &w->worker->run->launch;
    struct sanitize_row key = { .kernel = l->kernel ^ l->ptbr << 32,
                                .pc = finding->here.pc,
                                .what = finding->what };
    if (finding->what == SANITIZE_DATA_RACE || finding->what == SANITIZE_PLACES)
        key.other = finding->other.pc;
    struct guard_lock held;
    guard_lock(&held, &c->lock);
    struct sanitize_row *r = row_of(c, &key);
    if (r && !r->count++) {
        struct sanitize_finding f = *finding;
        decode(w, f.here.pc, &f.in);
        c->report(c->ctx, &f, (size_t)(r - c->row));
    }
    guard_unlock(&held);
}
