/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a profile as JSON and as tables. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/defer.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "dbg/advice.h"
#include "dbg/profile.h"

enum { ROWS_SHOWN = 20, LINE_SHOWN = 48 };

/* An instruction, or the sum over a source line; file NULL: without a line. */
struct hot {
    const struct spot *row;
    const struct profile_place *place;
    uint64_t total, issued, lanes;
    struct spot_use use;
    uint64_t slots[VENTUS_MODEL_STALLS];
};

struct hot_list {
    struct hot *at;
    size_t n;
};

static void
add_hot(struct hot *h, const struct spot *row)
{
    h->issued += row->issued;
    h->lanes += row->lanes;
    h->use.accesses += row->use.accesses;
    h->use.bytes += row->use.bytes;
    h->use.lines += row->use.lines;
    h->use.least += row->use.least;
    h->use.local += row->use.local;
    h->use.passes += row->use.passes;
    h->use.branches += row->use.branches;
    h->use.splits += row->use.splits;
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++) {
        h->slots[i] += row->slots[i];
        h->total += row->slots[i];
    }
}

static int
by_total(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;
    if (x->total != y->total)
        return x->total < y->total ? 1 : -1;
    return x->row->pc < y->row->pc ? -1 : x->row->pc > y->row->pc;
}

static int
by_line(const void *a, const void *b)
{
    const struct hot *x = a, *y = b;
    int order = strcmp(x->place->file, y->place->file);
    if (order)
        return order;
    if (x->place->line != y->place->line)
        return x->place->line < y->place->line ? -1 : 1;
    return x->row->pc < y->row->pc ? -1 : x->row->pc > y->row->pc;
}

/* Lists instructions in order of their cost. */
static struct hot_list
list_instructions(struct arena *a, const struct profile *p)
{
    struct hot_list l = { arena_new(a, struct hot, p->code.n), p->code.n };
    for (size_t i = 0; i < l.n; i++) {
        l.at[i].row = &p->code.row[i];
        l.at[i].place = &p->place[i];
        add_hot(&l.at[i], l.at[i].row);
    }
    if (l.n)
        qsort(l.at, l.n, sizeof *l.at, by_total);
    return l;
}

/* Lists source lines in order of their cost; instructions without a line are left out. */
static struct hot_list
list_lines(struct arena *a, const struct profile *p)
{
    struct hot_list in = list_instructions(a, p), out = { in.at, 0 };
    if (in.n)
        qsort(in.at, in.n, sizeof *in.at, by_line);
    for (size_t i = 0; i < in.n; i++) {
        struct hot h = in.at[i];
        struct hot *last = out.n ? &out.at[out.n - 1] : NULL;
        if (!h.place->line)
            continue;
        if (last && last->place->line == h.place->line &&
            strcmp(last->place->file, h.place->file) == 0)
            add_hot(last, h.row);
        else
            out.at[out.n++] = h;
    }
    if (out.n)
        qsort(out.at, out.n, sizeof *out.at, by_total);
    assert(out.n <= in.n);
    return out;
}

/* ---- source text ---- */

struct source {
    struct arena *arena;
    const char *file, *text;
};

/* A source line without leading spaces: as the program kept it, or from the file as it
 * is now; "" if there is none. */
static const char *
source_line(struct source *s, const struct profile_place *place)
{
    const char *file = place->file;
    unsigned line = place->line;
    if (place->text)
        return place->text + strspn(place->text, " \t");
    struct diag_sink quiet = { .arena = s->arena };
    size_t size;
    if (!s->file || strcmp(s->file, file) != 0) {
        s->file = file;
        s->text = (const char *)file_read(s->arena, file, &size, &quiet);
    }
    const char *at = s->text;
    for (unsigned i = 1; at && i < line; i++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return "";
    at += strspn(at, " \t");
    return arena_strndup(s->arena, at, strcspn(at, "\r\n"));
}

/* ---- JSON ---- */

static void
json_slots(struct json *j, const char *name, const uint64_t *slots)
{
    json_array(j, name);
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        json_number(j, NULL, slots[i]);
    json_end(j);
}

static void
json_sms(const struct profile *p, struct json *j)
{
    json_array(j, "sms");
    for (unsigned i = 0; i < p->sms; i++) {
        json_object(j, NULL);
        for (const struct ventus_model_counter *c = ventus_model_counters;
             c->name; c++) {
            uint64_t value;
            memcpy(&value, (const char *)&p->sm[i] + c->offset, sizeof value);
            json_number(j, c->name, value);
        }
        json_end(j);
    }
    json_end(j);
}

static void
json_timeline(const struct profile *p, struct json *j)
{
    uint64_t n = (p->cycles + p->bin_cycles - 1) / p->bin_cycles;
    assert(n <= PROFILE_BINS);
    json_array(j, "causes");
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        json_string(j, NULL, ventus_model_stall_names[i]);
    json_end(j);
    json_object(j, "timeline");
    json_number(j, "bin_cycles", p->bin_cycles);
    json_array(j, "slots");
    for (uint64_t i = 0; i < n; i++)
        json_slots(j, NULL, p->bin[i].slots);
    json_end(j);
    json_array(j, "warps");
    for (uint64_t i = 0; i < n; i++)
        json_number(j, NULL, p->bin[i].warps);
    json_end(j);
    json_array(j, "requests");
    for (uint64_t i = 0; i < n; i++)
        json_number(j, NULL, p->bin[i].requests);
    json_end(j);
    json_end(j);
}

/* Writes the accesses of an instruction's lanes, if there were any. */
static void
json_use(const struct spot_use *u, struct json *j)
{
    const struct {
        const char *name;
        uint64_t value;
    } all[] = {
        { "accesses", u->accesses }, { "bytes", u->bytes },
        { "lines", u->lines },       { "least_lines", u->least },
        { "local", u->local },       { "local_passes", u->passes },
        { "branches", u->branches }, { "splits", u->splits },
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].value)
            json_number(j, all[i].name, all[i].value);
}

/* The text of an instruction; slots without an instruction have pc 0. */
static const char *
instruction_of(const struct hot *h)
{
    return h->row->pc || h->row->text[0] ? h->row->text : "(no instruction)";
}

static void
json_hot(const struct hot *h, struct source *source, struct json *j)
{
    json_object(j, NULL);
    if (source) {
        json_string(j, "source", source_line(source, h->place));
    } else {
        json_number(j, "pc", h->row->pc);
        json_string(j, "text", instruction_of(h));
        json_string(j, "symbol", h->place->symbol);
    }
    json_string(j, "file", h->place->file);
    json_number(j, "line", h->place->line);
    json_number(j, "issued", h->issued);
    json_number(j, "lanes", h->lanes);
    json_use(&h->use, j);
    json_slots(j, "slots", h->slots);
    json_end(j);
}

static void
json_advice(struct arena *a, const struct profile *p, struct json *j)
{
    struct advice_list list;
    advice_find(a, p, &list);
    json_array(j, "advice");
    for (size_t i = 0; i < list.n; i++) {
        const struct advice *x = &list.at[i];
        json_object(j, NULL);
        json_string(j, "rule", advice_names[x->rule]);
        if (x->place) {
            json_string(j, "file", x->place->file);
            json_number(j, "line", x->place->line);
            json_number(j, "pc", x->pc);
        }
        json_string(j, "cause", x->cause);
        json_string(j, "change", x->change);
        if (x->gain != 0)
            json_real(j, "gain", x->gain, 3);
        if (*x->shown)
            json_string(j, "shown", x->shown);
        json_end(j);
    }
    json_end(j);
}

void
profile_json(const struct profile *p, struct json *j)
{
    struct arena a = { 0 };
    struct oom_cleanup free_a;
    struct source source = { .arena = &a };
    oom_defer_arena(&free_a, &a);
    struct hot_list lines = list_lines(&a, p);
    struct hot_list all = list_instructions(&a, p);
    json_sms(p, j);
    json_timeline(p, j);
    json_array(j, "lines");
    for (size_t i = 0; i < lines.n; i++)
        json_hot(&lines.at[i], &source, j);
    json_end(j);
    json_array(j, "instructions");
    for (size_t i = 0; i < all.n; i++)
        json_hot(&all.at[i], NULL, j);
    json_end(j);
    json_advice(&a, p, j);
    oom_release(&free_a);
}

/* ---- tables ---- */

/* The cause that cost most slots, other than that an instruction issued. */
static const char *
main_cause(const struct hot *h, double *share)
{
    unsigned most = 1;
    for (unsigned i = 2; i < VENTUS_MODEL_STALLS; i++)
        if (h->slots[i] > h->slots[most])
            most = i;
    *share = h->total ? 100.0 * (double)h->slots[most] / (double)h->total : 0;
    return h->slots[most] ? ventus_model_stall_names[most] : "";
}

static void
print_hot(const struct hot *h, uint64_t whole, const char *where,
          const char *text, FILE *out)
{
    double share, of = whole ? 100.0 * (double)h->total / (double)whole : 0;
    const char *cause = main_cause(h, &share);
    fprintf(out, "  %5.1f%% %10" PRIu64 " %9" PRIu64 "  ", of, h->total,
            h->issued);
    if (*cause)
        fprintf(out, "%-17s %3.0f%%", cause, share);
    else
        fprintf(out, "%-17s %4s", "", "");
    fprintf(out, "  %-22s ", where);
    text_write(out, text, LINE_SHOWN);
    fputc('\n', out);
}

static uint64_t
sum_of(const struct hot_list *l)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < l->n; i++)
        sum += l->at[i].total;
    return sum;
}

static void
print_head(const char *what, FILE *out)
{
    fprintf(out, "\n  %6s %10s %9s  %-22s  %-22s\n", "share", "slots", "issued",
            "mostly waits for", what);
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void
print_advice(struct arena *a, const struct profile *p, FILE *out)
{
    struct advice_list list;
    advice_find(a, p, &list);
    fputs("\n  what would help\n", out);
    if (!list.n)
        fputs("  " ADVICE_NONE "\n", out);
    for (size_t i = 0; i < list.n; i++) {
        const struct advice *x = &list.at[i];
        if (x->gain != 0)
            fprintf(out, "  at most %6.2fx  ", x->gain);
        else
            fprintf(out, "  %15s  ", "");
        if (x->place && x->place->line)
            fprintf(out, "%s:%u: ", base_name(x->place->file), x->place->line);
        else if (x->place)
            fprintf(out, "%08" PRIx32 ": ", x->pc);
        fprintf(out, "%s\n  %17s%s\n", x->cause, "", x->change);
        if (*x->shown)
            fprintf(out, "  %17s%s\n", "", x->shown);
    }
}

void
profile_hot(const struct profile *p, FILE *out)
{
    struct arena a = { 0 };
    struct oom_cleanup free_a;
    struct source source = { .arena = &a };
    oom_defer_arena(&free_a, &a);
    struct hot_list lines = list_lines(&a, p);
    struct hot_list all = list_instructions(&a, p);
    uint64_t whole = sum_of(&all);
    if (lines.n)
        print_head("line", out);
    for (size_t i = 0; i < lines.n && i < ROWS_SHOWN; i++) {
        const struct profile_place *at = lines.at[i].place;
        print_hot(&lines.at[i], whole,
                  arena_printf(&a, "%s:%u", base_name(at->file), at->line),
                  source_line(&source, at), out);
    }
    print_head("instruction", out);
    for (size_t i = 0; i < all.n && i < ROWS_SHOWN; i++) {
        const struct hot *h = &all.at[i];
        print_hot(
            h, whole,
            arena_printf(&a, "%08" PRIx32 " %s", h->row->pc, h->place->symbol),
            instruction_of(h), out);
    }
    print_advice(&a, p, out);
    oom_release(&free_a);
}
