/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a difference of totals: by the lengths of the segments of A's critical path
 * in A and in B, and by the latencies of all instructions by class. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bisect.h"
#include "dbg/compare.h"

enum {
    V0 = 256, /* number of the first vector register */
    REGISTERS = 512,
    OPERANDS = 6, /* registers of an instruction that are compared */
    LINE_B = 128, /* size of a line that may hold the instruction */
    WAKES = 2,    /* cycles from a write-back to the issue that it enables */
    NEAR = 64     /* instructions that are searched for the first use */
};

static const size_t no_step = SIZE_MAX;

/* An instruction that both sides issued. */
struct step {
    const struct compare_record *record;
    const char *name; /* name of its latency class */
    bool first;       /* first instruction of its warp */
    /* slow: a dependent instruction cannot issue right after it. */
    bool ends, slow;
    unsigned producers;
    size_t producer[OPERANDS]; /* steps whose results it needs */
};

/* A line that A requested from memory. */
struct read {
    int64_t cycle;
    uint64_t line;
};

struct explanation {
    struct arena *arena;
    struct comparison *c;
    vec(struct step) steps;
    vec(struct read) reads; /* ordered by cycle */
};

static bool
both_record(const struct compare_record *r, enum event_kind kind)
{
    return r->at[0][kind] != COMPARE_NONE && r->at[1][kind] != COMPARE_NONE;
}

/* ---- instructions ---- */

static int
by_issue(const void *a, const void *b)
{
    const struct compare_record *x = ((const struct step *)a)->record;
    const struct compare_record *y = ((const struct step *)b)->record;
    int64_t p = x->at[0][EVENT_ISSUE], q = y->at[0][EVENT_ISSUE];
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    if (p != q)
        return p < q ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool
is_slow(enum ventus_isa_unit unit)
{
    return unit == VENTUS_ISA_UNIT_LSU || unit == VENTUS_ISA_UNIT_SFU ||
           unit == VENTUS_ISA_UNIT_TENSOR || unit == VENTUS_ISA_UNIT_FPU ||
           unit == VENTUS_ISA_UNIT_MUL;
}

/* Lists the registers that an instruction reads, and in `out` the one that it writes:
 * only the low five bits of their numbers, as the file does not have prefixes. */
static unsigned
registers_of(const struct ventus_isa_insn *in, unsigned reg[OPERANDS], int *out)
{
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[info->format];
    unsigned n = 0;
    *out = -1;
    if (info->unit == VENTUS_ISA_UNIT_WARP || in->op == VENTUS_ISA_JOIN)
        return 0;
    for (unsigned i = 0; i < format->fields && n < OPERANDS - 1; i++) {
        const struct ventus_isa_field *f = &ventus_isa_fields[format->field[i]];
        if (f->member > VENTUS_ISA_MEMBER_3 || f->kind > VENTUS_ISA_KIND_A)
            continue;
        unsigned r =
            in->reg[f->member] + (f->kind == VENTUS_ISA_KIND_V ? V0 : 0u);
        if (!r)
            continue; /* x0 is constant */
        reg[n++] = r;
        if (f->out)
            *out = (int)r;
    }
    if (info->flags & VENTUS_ISA_F_MASKED && !in->vm)
        reg[n++] = V0;
    return n;
}

/* Finds the steps whose results a step needs, to read them or to overwrite them. */
static void
find_producers(struct explanation *x)
{
    static const size_t nothing = 0;
    size_t writer[REGISTERS]; /* by register: 1 + the step that wrote it last */
    for (size_t i = 0; i < x->steps.n; i++) {
        struct step *s = &x->steps.at[i];
        struct ventus_isa_insn in;
        unsigned reg[OPERANDS];
        int out;
        if (s->first || (i && x->steps.at[i - 1].ends))
            for (unsigned r = 0; r < REGISTERS; r++)
                writer[r] = nothing;
        if (!s->record->has_word ||
            !ventus_isa_decode_word(x->c->isa, s->record->word, &in))
            continue;
        unsigned n = registers_of(&in, reg, &out);
        for (unsigned k = 0; k < n; k++)
            if (writer[reg[k]])
                s->producer[s->producers++] = writer[reg[k]] - 1;
        if (out >= 0)
            writer[out] = i + 1;
    }
}

static struct step
step_of(const struct explanation *x, const struct compare_record *r)
{
    struct step s = { .record = r, .name = "unknown" };
    struct ventus_isa_insn in;
    if (!r->has_word || !ventus_isa_decode_word(x->c->isa, r->word, &in))
        return s;
    const struct ventus_isa_info *info = &ventus_isa_info[in.op];
    bool waits = in.op == VENTUS_ISA_BARRIER || in.op == VENTUS_ISA_BARRIERSUB;
    s.name = waits ? "barrier"
             : info->unit == VENTUS_ISA_UNIT_WARP
                 ? "warp control"
                 : ventus_isa_latency[info->lat].name;
    s.ends = info->flags & VENTUS_ISA_F_ENDS;
    s.slow = is_slow((enum ventus_isa_unit)info->unit);
    return s;
}

static void
make_steps(struct explanation *x)
{
    for (size_t i = 0; i < x->c->records.n; i++) {
        const struct compare_record *r = &x->c->records.at[i];
        if (r->subject == COMPARE_INSN && both_record(r, EVENT_ISSUE))
            vec_push(x->arena, &x->steps, step_of(x, r));
    }
    if (!x->steps.n)
        return;
    qsort(x->steps.at, x->steps.n, sizeof *x->steps.at, by_issue);
    for (size_t i = 0; i < x->steps.n; i++) {
        const struct compare_record *r = x->steps.at[i].record;
        const struct compare_record *p = i ? x->steps.at[i - 1].record : NULL;
        x->steps.at[i].first = !p || p->sm != r->sm || p->warp != r->warp;
    }
    find_producers(x);
}

static int
by_cycle(const void *a, const void *b)
{
    const struct read *x = a, *y = b;
    return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

static void
find_reads(struct explanation *x)
{
    for (size_t i = 0; i < x->c->records.n; i++) {
        const struct compare_record *r = &x->c->records.at[i];
        if (r->at[0][EVENT_READ] != COMPARE_NONE)
            vec_push(x->arena, &x->reads,
                     ((struct read){ r->at[0][EVENT_READ], r->pc }));
    }
    if (x->reads.n)
        qsort(x->reads.at, x->reads.n, sizeof *x->reads.at, by_cycle);
}

/* ---- sums by mechanism ---- */

static void
add_span(struct explanation *x, compare_spans *to, const char *class,
         const char *what, const int64_t length[COMPARE_SIDES])
{
    const char *name =
        *class ? arena_printf(x->arena, "%s: %s", class, what) : what;
    size_t i = 0;
    while (i < to->n && strcmp(to->at[i].name, name) != 0)
        i++;
    if (i == to->n)
        vec_push(x->arena, to, ((struct compare_span){ .name = name }));
    struct compare_span *s = &to->at[i];
    for (unsigned side = 0; side < COMPARE_SIDES; side++) {
        s->sum[side] += length[side];
        if (!s->n || length[side] < s->least[side])
            s->least[side] = length[side];
        if (!s->n || length[side] > s->most[side])
            s->most[side] = length[side];
    }
    s->n++;
    s->differ += length[0] != length[1];
}

/* Adds a segment from event `from`, NULL is the origin, to event `to`. */
static void
add_segment(struct explanation *x, compare_spans *to_spans, const char *class,
            const char *what, const struct compare_at *from,
            const struct compare_at *to)
{
    int64_t length[COMPARE_SIDES];
    for (unsigned side = 0; side < COMPARE_SIDES; side++)
        length[side] = to->record->at[side][to->kind] -
                       (from ? from->record->at[side][from->kind] : 0);
    add_span(x, to_spans, class, what, length);
}

/* Adds the latency of an instruction, if both sides record its events. */
static void
add_latency(struct explanation *x, const struct step *s, enum event_kind from,
            enum event_kind to, const char *what)
{
    if (both_record(s->record, from) && both_record(s->record, to))
        add_segment(x, &x->c->spans, s->name, what,
                    &(struct compare_at){ s->record, from },
                    &(struct compare_at){ s->record, to });
}

static const char to_entry[] = "issue to LSU entry";
static const char to_result[] = "LSU entry to write-back";
static const char to_writeback[] = "issue to write-back";
static const char to_acknowledgement[] = "LSU entry to acknowledgement";

static void
add_latencies(struct explanation *x)
{
    for (size_t i = 0; i < x->steps.n; i++) {
        const struct step *s = &x->steps.at[i];
        add_latency(x, s, EVENT_ISSUE, EVENT_ACCESS, to_entry);
        add_latency(x, s, EVENT_ACCESS, EVENT_WRITEBACK, to_result);
        add_latency(x, s, EVENT_ACCESS, EVENT_STORED, to_acknowledgement);
        if (!both_record(s->record, EVENT_ACCESS))
            add_latency(x, s, EVENT_ISSUE, EVENT_WRITEBACK, to_writeback);
    }
}

/* ---- the path ---- */

/* The step whose result A's issue waited for: its write-back came just before. */
static size_t
waited_for(const struct explanation *x, const struct step *s)
{
    size_t best = no_step;
    int64_t at = s->record->at[0][EVENT_ISSUE], latest = COMPARE_NONE;
    for (unsigned i = 0; i < s->producers; i++) {
        const struct compare_record *p = x->steps.at[s->producer[i]].record;
        int64_t w = p->at[0][EVENT_WRITEBACK];
        if (!both_record(p, EVENT_WRITEBACK) || w > at || at - w > WAKES ||
            w < latest)
            continue;
        best = s->producer[i];
        latest = w;
    }
    return best;
}

/* The step that the issue depends on, if A has no write-backs: the latest result of a
 * slow unit whose first use this is, or of the instruction before. */
static size_t
depends_on(const struct explanation *x, size_t step)
{
    const struct step *s = &x->steps.at[step];
    size_t best = no_step;
    for (unsigned i = 0; i < s->producers; i++) {
        size_t p = s->producer[i];
        bool needed = p + 1 == step;
        bool first = x->steps.at[p].slow && step - p <= NEAR;
        for (size_t k = p + 1; k < step && first; k++)
            for (unsigned j = 0; j < x->steps.at[k].producers; j++)
                first &= x->steps.at[k].producer[j] != p;
        if ((needed || first) && (best == no_step || p > best) &&
            x->steps.at[p].record->at[0][EVENT_WRITEBACK] == COMPARE_NONE)
            best = p;
    }
    return best;
}

/* Whether memory delivered the line of A's instruction between two issues. */
static bool
waits_for_line(const struct explanation *x, const struct step *from,
               const struct step *to)
{
    int64_t after = from->record->at[0][EVENT_ISSUE];
    int64_t before = to->record->at[0][EVENT_ISSUE];
    size_t i;
    BISECT(i, x->reads.n, x->reads.at[i].cycle <= after);
    for (; i < x->reads.n && x->reads.at[i].cycle < before; i++)
        if (to->record->pc - x->reads.at[i].line < LINE_B)
            return true;
    return false;
}

static void
path_segment(struct explanation *x, const char *class, const char *what,
             struct compare_at from, struct compare_at to)
{
    add_segment(x, &x->c->path, class, what, &from, &to);
}

/* Adds the segments from the write-back of p back to its issue. */
static void
follow_result(struct explanation *x, const struct step *p)
{
    struct compare_at issue = { p->record, EVENT_ISSUE };
    struct compare_at entry = { p->record, EVENT_ACCESS };
    struct compare_at result = { p->record, EVENT_WRITEBACK };
    if (both_record(p->record, EVENT_ACCESS)) {
        path_segment(x, p->name, to_result, entry, result);
        path_segment(x, p->name, to_entry, issue, entry);
    } else {
        path_segment(x, p->name, to_writeback, issue, result);
    }
}

/* A cause is the event of A that an issue waited for: of another step, or the origin
 * (no_step). */
struct cause {
    size_t step;
    enum event_kind kind;
    const char *class, *what;
};

static struct cause
cause_of(const struct explanation *x, size_t step)
{
    const struct step *s = &x->steps.at[step];
    struct cause c = { .step = waited_for(x, s),
                       .kind = EVENT_WRITEBACK,
                       .class = "",
                       .what = "write-back to dependent issue" };
    if (c.step != no_step)
        return c;
    c.kind = EVENT_ISSUE;
    if (s->first) {
        c.what = "origin to the first issue";
        return c;
    }
    c.step = depends_on(x, step);
    c.what = c.step != no_step ? "issue to dependent issue"
                               : "issue to the warp's next";
    if (c.step == no_step)
        c.step = step - 1;
    const struct step *p = &x->steps.at[c.step];
    c.class = p->name;
    if (p->ends)
        c.what = "end to the slot's next warp";
    else if (c.step == step - 1 && waits_for_line(x, p, s)) {
        c.class = "";
        c.what = "wait for an instruction line";
    }
    return c;
}

static void
add_cause(struct explanation *x, compare_spans *to, const struct cause *c,
          size_t step)
{
    const struct step *s = &x->steps.at[step];
    struct compare_at from = { NULL, c->kind };
    if (c->step != no_step)
        from.record = x->steps.at[c->step].record;
    add_segment(x, to, c->class, c->what, from.record ? &from : NULL,
                &(struct compare_at){ s->record, EVENT_ISSUE });
}

/* Goes back one step of the path; no_step: the warp's first issue. */
static size_t
go_back(struct explanation *x, size_t step)
{
    struct cause c = cause_of(x, step);
    add_cause(x, &x->c->path, &c, step);
    if (c.kind == EVENT_WRITEBACK)
        follow_result(x, &x->steps.at[c.step]);
    return c.step;
}

static void
find_path(struct explanation *x)
{
    size_t last = no_step;
    for (size_t i = 0; i < x->steps.n; i++)
        if (last == no_step || x->steps.at[i].record->at[0][EVENT_ISSUE] >
                                   x->steps.at[last].record->at[0][EVENT_ISSUE])
            last = i;
    if (last == no_step)
        return;
    int64_t length[COMPARE_SIDES];
    for (unsigned side = 0; side < COMPARE_SIDES; side++)
        length[side] = x->c->cycles[side] -
                       x->steps.at[last].record->at[side][EVENT_ISSUE];
    add_span(x, &x->c->path, "", "last issue to the end", length);
    for (size_t step = last; step != no_step;) {
        size_t before = go_back(x, step);
        assert((before == no_step || before < step) &&
               "the path goes back in time");
        step = before;
    }
}

/* The segment of an instruction that ends with an event of it. */
static void
find_segment(struct explanation *x, size_t step, enum event_kind kind)
{
    const struct step *s = &x->steps.at[step];
    enum event_kind from = EVENT_ISSUE;
    const char *what = kind == EVENT_ACCESS ? to_entry : to_writeback;
    if (kind == EVENT_ISSUE) {
        struct cause c = cause_of(x, step);
        add_cause(x, &x->c->first, &c, step);
        return;
    }
    if (kind != EVENT_ACCESS && both_record(s->record, EVENT_ACCESS)) {
        from = EVENT_ACCESS;
        what = kind == EVENT_STORED ? to_acknowledgement : to_result;
    }
    add_segment(x, &x->c->first, s->name, what,
                &(struct compare_at){ s->record, from },
                &(struct compare_at){ s->record, kind });
}

/* The mechanism of the first difference, if both sides have that event of an instruction. */
static void
find_first(struct explanation *x)
{
    const struct compare_at *e = x->c->differing.at;
    if (!x->c->differing.n || !both_record(e->record, e->kind))
        return;
    for (size_t i = 0; i < x->steps.n; i++)
        if (x->steps.at[i].record == e->record)
            find_segment(x, i, e->kind);
}

/* Orders by difference, largest first; equal ones by length. */
static int
by_difference(const void *a, const void *b)
{
    const struct compare_span *x = a, *y = b;
    int64_t p = llabs(x->sum[1] - x->sum[0]), q = llabs(y->sum[1] - y->sum[0]);
    if (p != q)
        return p > q ? -1 : 1;
    if (x->sum[0] != y->sum[0])
        return x->sum[0] > y->sum[0] ? -1 : 1;
    return strcmp(x->name, y->name);
}

void
compare_explain(struct arena *a, struct comparison *c)
{
    struct explanation x = { .arena = a, .c = c };
    make_steps(&x);
    find_reads(&x);
    add_latencies(&x);
    find_path(&x);
    find_first(&x);
    if (c->path.n)
        qsort(c->path.at, c->path.n, sizeof *c->path.at, by_difference);
    if (c->spans.n)
        qsort(c->spans.at, c->spans.n, sizeof *c->spans.at, by_difference);
}
