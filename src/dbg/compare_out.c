/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a comparison as text and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "dbg/compare.h"

enum { TEXT = 24, PLACE = 64 + VENTUS_ISA_TEXT_MAX };

static const char sides[COMPARE_SIDES] = { 'A', 'B' };

static const char *
cycle_text(int64_t cycle, char text[TEXT])
{
    if (cycle == COMPARE_NONE)
        return "-";
    snprintf(text, TEXT, "%" PRId64, cycle);
    return text;
}

static int64_t
cycle_of(const struct compare_at *e, unsigned side)
{
    return e->record->at[side][e->kind];
}

static bool
is_in_both(const struct compare_at *e)
{
    return cycle_of(e, 0) != COMPARE_NONE && cycle_of(e, 1) != COMPARE_NONE;
}

static const char *
difference_text(const struct compare_at *e, char text[TEXT])
{
    if (!is_in_both(e))
        return "-";
    snprintf(text, TEXT, "%+" PRId64, cycle_of(e, 1) - cycle_of(e, 0));
    return text;
}

static void
disassemble(enum ventus_isa_version isa, const struct compare_record *r,
            char *text, size_t size)
{
    struct ventus_isa_insn in;
    *text = 0;
    if (r->has_word && ventus_isa_decode_word(isa, r->word, &in))
        ventus_isa_print(
            &in, &(struct ventus_isa_print){ .has_pc = true, .pc = r->pc },
            text, size);
}

/* Writes the subject of an event and its SM, warp and pc. */
static void
write_subject(enum ventus_isa_version isa, const struct compare_at *e,
              char text[PLACE])
{
    const struct compare_record *r = e->record;
    char insn[VENTUS_ISA_TEXT_MAX];
    switch (r->subject) {
    case COMPARE_INSN:
        disassemble(isa, r, insn, sizeof insn);
        snprintf(text, PLACE, "SM %u warp %" PRIu32 "  %08" PRIx64 "  %s",
                 r->sm, r->warp, r->pc, insn);
        return;
    case COMPARE_WARP:
        snprintf(text, PLACE, "SM %u warp %" PRIu32, r->sm, r->warp);
        return;
    case COMPARE_GROUP:
        snprintf(text, PLACE, "workgroup %" PRIu32, r->warp);
        return;
    case COMPARE_LINE:
        snprintf(text, PLACE, "line %08" PRIx64, r->pc);
        return;
    case COMPARE_KERNEL:
        break;
    }
    *text = 0;
}

/* ---- the first difference ---- */

static bool
is_same_warp(const struct compare_record *x, const struct compare_record *y)
{
    bool warps = x->subject == COMPARE_INSN || x->subject == COMPARE_WARP;
    bool others = y->subject == COMPARE_INSN || y->subject == COMPARE_WARP;
    return !warps || !others || (x->sm == y->sm && x->warp == y->warp);
}

/* The events around the first difference: those of its warp, and those of no warp. */
struct window {
    size_t first, from, to; /* indices into c->events */
};

static struct window
window_around(const struct comparison *c, unsigned context)
{
    struct window w = { 0 };
    const struct compare_at *first = &c->differing.at[0];
    while (c->events.at[w.first].record != first->record ||
           c->events.at[w.first].kind != first->kind)
        w.first++;
    w.from = w.to = w.first;
    for (unsigned n = 0; n < context && w.from;)
        n += is_same_warp(c->events.at[--w.from].record, first->record);
    for (unsigned n = 0; n < context && w.to + 1 < c->events.n;)
        n += is_same_warp(c->events.at[++w.to].record, first->record);
    return w;
}

static void
print_first(FILE *out, const struct comparison *c, unsigned context)
{
    char a[TEXT], b[TEXT], d[TEXT], where[PLACE];
    if (!c->differing.n)
        return;
    struct window w = window_around(c, context);
    fprintf(out,
            "\nfirst difference, and what is around it:\n"
            "  %10s %10s %8s  event\n",
            "A", "B", "B - A");
    for (size_t i = w.from; i <= w.to; i++) {
        const struct compare_at *e = &c->events.at[i];
        if (!is_same_warp(e->record, c->differing.at[0].record))
            continue;
        write_subject(c->isa, e, where);
        fprintf(out, "%c %10s %10s %8s  %-15s %s\n", i == w.first ? '>' : ' ',
                cycle_text(cycle_of(e, 0), a), cycle_text(cycle_of(e, 1), b),
                difference_text(e, d), event_names[e->kind], where);
    }
    for (size_t i = 0; i < c->first.n; i++)
        fprintf(out, "mechanism: %s, A %" PRId64 ", B %" PRId64 "\n",
                c->first.at[i].name, c->first.at[i].sum[0],
                c->first.at[i].sum[1]);
}

/* ---- text ---- */

static void
print_totals(FILE *out, const struct comparison *c)
{
    fprintf(out, "cycles: A %" PRId64 ", B %" PRId64 ", B - A %+" PRId64,
            c->cycles[0], c->cycles[1], c->cycles[1] - c->cycles[0]);
    if (c->cycles[0] > 0)
        fprintf(out, " (%+.2f %%)",
                100.0 * (double)(c->cycles[1] - c->cycles[0]) /
                    (double)c->cycles[0]);
    fprintf(out, "\n\n%-16s %9s %9s %9s %9s %9s %9s %9s\n", "events", "A", "B",
            "matched", "exact", "within 4", "mean off", "largest");
    for (unsigned k = 0; k < EVENT_KINDS; k++) {
        const struct compare_kind *x = &c->kind[k];
        if (!x->n[0] && !x->n[1])
            continue;
        fprintf(out, "%-16s %9zu %9zu", event_names[k], x->n[0], x->n[1]);
        if (x->compared)
            fprintf(out, " %9zu %9zu %9zu %9.2f %+9" PRId64 "\n", x->matched,
                    x->same, x->near,
                    x->matched ? (double)x->sum / (double)x->matched : 0.0,
                    x->largest);
        else
            fputs("   not compared: one side has none\n", out);
    }
}

static void
print_order(FILE *out, const struct compare_order *o)
{
    if (!o->differs)
        return;
    fprintf(out,
            "\nother instructions: SM %u warp %" PRIu32 ", issue %zu is at",
            o->sm, o->warp, o->nth + 1);
    for (unsigned side = 0; side < COMPARE_SIDES; side++)
        if (o->pc[side] == UINT64_MAX)
            fprintf(out, " nothing in %c%s", sides[side], side ? "" : ",");
        else if (o->words)
            fprintf(out, " %08" PRIx64 " with word %08" PRIx32 " in %c%s",
                    o->pc[side], o->word[side], sides[side], side ? "" : ",");
        else
            fprintf(out, " %08" PRIx64 " in %c%s", o->pc[side], sides[side],
                    side ? "" : ",");
    fputc('\n', out);
}

static void
print_spans(FILE *out, const char *title, const compare_spans *s, bool ranges)
{
    if (!s->n)
        return;
    fprintf(out, "\n%s\n  %9s %9s %9s %7s %7s  %s\n", title, "B - A", "A", "B",
            "number", "differ", "mechanism");
    for (size_t i = 0; i < s->n; i++) {
        const struct compare_span *x = &s->at[i];
        fprintf(out, "  %+9" PRId64 " %9" PRId64 " %9" PRId64 " %7zu %7zu  %s",
                x->sum[1] - x->sum[0], x->sum[0], x->sum[1], x->n, x->differ,
                x->name);
        if (ranges)
            fprintf(out,
                    "  (%" PRId64 " to %" PRId64 "; %" PRId64 " to %" PRId64
                    ")",
                    x->least[0], x->most[0], x->least[1], x->most[1]);
        fputc('\n', out);
    }
}

void
compare_print(FILE *out, const struct comparison *c, unsigned context)
{
    print_totals(out, c);
    print_order(out, &c->order);
    if (compare_is_exact(c))
        fputs("\nno difference in what both record\n", out);
    print_first(out, c, context);
    print_spans(out, "where the total comes from: a path to A's last issue",
                &c->path, false);
    print_spans(out, "all instructions (least to most of A; of B):", &c->spans,
                true);
}

/* ---- JSON ---- */

static void
write_pair(struct json *j, const char *name, const int64_t at[COMPARE_SIDES])
{
    json_array(j, name);
    for (unsigned side = 0; side < COMPARE_SIDES; side++)
        if (at[side] == COMPARE_NONE)
            json_string(j, NULL, NULL);
        else
            json_signed(j, NULL, at[side]);
    json_end(j);
}

static void
write_event(struct json *j, const char *name, const struct compare_at *e)
{
    const struct compare_record *r = e->record;
    const int64_t at[COMPARE_SIDES] = { cycle_of(e, 0), cycle_of(e, 1) };
    char pc[TEXT];
    json_object(j, name);
    json_string(j, "event", event_names[e->kind]);
    write_pair(j, "cycle", at);
    if (r->subject == COMPARE_INSN || r->subject == COMPARE_WARP)
        json_number(j, "sm", r->sm);
    if (r->subject != COMPARE_LINE && r->subject != COMPARE_KERNEL)
        json_number(j, r->subject == COMPARE_GROUP ? "workgroup" : "warp",
                    r->warp);
    if (r->subject == COMPARE_INSN || r->subject == COMPARE_LINE) {
        snprintf(pc, sizeof pc, "%08" PRIx64, r->pc);
        json_string(j, r->subject == COMPARE_INSN ? "pc" : "line", pc);
    }
    if (r->has_word) {
        snprintf(pc, sizeof pc, "%08" PRIx32, r->word);
        json_string(j, "word", pc);
    }
    json_end(j);
}

static void
write_kinds(struct json *j, const struct comparison *c)
{
    json_array(j, "kinds");
    for (unsigned k = 0; k < EVENT_KINDS; k++) {
        const struct compare_kind *x = &c->kind[k];
        if (!x->n[0] && !x->n[1])
            continue;
        const int64_t n[COMPARE_SIDES] = { (int64_t)x->n[0], (int64_t)x->n[1] };
        json_object(j, NULL);
        json_string(j, "event", event_names[k]);
        write_pair(j, "number", n);
        json_bool(j, "compared", x->compared);
        json_number(j, "matched", x->matched);
        json_number(j, "exact", x->same);
        json_number(j, "within_4", x->near);
        json_number(j, "sum_off", x->sum);
        json_signed(j, "largest", x->largest);
        json_end(j);
    }
    json_end(j);
}

static void
write_spans(struct json *j, const char *name, const compare_spans *s)
{
    json_array(j, name);
    for (size_t i = 0; i < s->n; i++) {
        const struct compare_span *x = &s->at[i];
        json_object(j, NULL);
        json_string(j, "mechanism", x->name);
        json_number(j, "number", x->n);
        json_number(j, "differ", x->differ);
        write_pair(j, "cycles", x->sum);
        write_pair(j, "least", x->least);
        write_pair(j, "most", x->most);
        json_end(j);
    }
    json_end(j);
}

static void
write_order(struct json *j, const struct compare_order *o)
{
    char pc[TEXT];
    json_object(j, "other_instructions");
    json_number(j, "sm", o->sm);
    json_number(j, "warp", o->warp);
    json_number(j, "issue", o->nth + 1);
    json_array(j, "pc");
    for (unsigned side = 0; side < COMPARE_SIDES; side++) {
        snprintf(pc, sizeof pc, "%08" PRIx64, o->pc[side]);
        json_string(j, NULL, o->pc[side] == UINT64_MAX ? NULL : pc);
    }
    json_end(j);
    json_end(j);
}

void
compare_json(struct json *j, const struct comparison *c, unsigned context)
{
    json_object(j, NULL);
    json_array(j, "name");
    for (unsigned side = 0; side < COMPARE_SIDES; side++)
        json_string(j, NULL, c->name[side]);
    json_end(j);
    write_pair(j, "cycles", c->cycles);
    json_bool(j, "exact", compare_is_exact(c));
    write_kinds(j, c);
    if (c->order.differs)
        write_order(j, &c->order);
    if (c->differing.n) {
        struct window w = window_around(c, context);
        write_event(j, "first_difference", &c->differing.at[0]);
        write_spans(j, "first_mechanism", &c->first);
        json_array(j, "context");
        for (size_t i = w.from; i <= w.to; i++)
            if (is_same_warp(c->events.at[i].record, c->differing.at[0].record))
                write_event(j, NULL, &c->events.at[i]);
        json_end(j);
    }
    write_spans(j, "path", &c->path);
    write_spans(j, "spans", &c->spans);
    json_end(j);
}
