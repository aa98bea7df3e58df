/* SPDX-License-Identifier: Apache-2.0 */
#include "dbg/report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/defer.h"
#include "base/text.h"
#include "dbg/advice.h"
#include "dbg/launch_file.h"

enum { ROWS_SHOWN = 20, SOURCE_SHOWN = 48 };

/* A source line of one or both launches; base or now is NULL if the launch does not
 * have it. */
struct row {
    const struct launch_line *base, *now;
    int64_t change;
};

struct rows {
    struct row *at;
    size_t n;
};

static const struct launch_line no_line = { .file = "", .source = "" };

static int64_t
change_of(uint64_t base, uint64_t now)
{
    return (int64_t)(now - base);
}

static int
by_change(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    uint64_t p = (uint64_t)llabs(x->change), q = (uint64_t)llabs(y->change);
    if (p != q)
        return p < q ? 1 : -1;
    const struct launch_line *s = x->now ? x->now : x->base;
    const struct launch_line *t = y->now ? y->now : y->base;
    int order = strcmp(s->file, t->file);
    if (order)
        return order;
    return s->line < t->line ? -1 : s->line > t->line;
}

/* Lists the lines of both launches.  For a kernel without a base everything is a
 * change. */
static struct rows
list_rows(struct arena *a, const struct launch_kernel *base,
          const struct launch_kernel *now)
{
    size_t most = now->lines.n + (base ? base->lines.n : 0);
    struct rows r = { arena_new(a, struct row, most), 0 };
    for (size_t i = 0; i < now->lines.n; i++) {
        const struct map_entry *e = &now->lines.entry[i];
        void **old = base ? map_find(&base->lines, e->key, e->length) : NULL;
        r.at[r.n++] = (struct row){ old ? *old : NULL, e->value, 0 };
    }
    for (size_t i = 0; base && i < base->lines.n; i++) {
        const struct map_entry *e = &base->lines.entry[i];
        if (!map_find(&now->lines, e->key, e->length))
            r.at[r.n++] = (struct row){ e->value, NULL, 0 };
    }
    size_t kept = 0;
    for (size_t i = 0; i < r.n; i++) {
        struct row *x = &r.at[i];
        x->change =
            change_of(x->base ? x->base->total : 0, x->now ? x->now->total : 0);
        if (x->change)
            r.at[kept++] = *x;
    }
    r.n = kept;
    if (r.n)
        qsort(r.at, r.n, sizeof *r.at, by_change);
    return r;
}

/* The cause that changed most; without a base, the cause that cost most. */
static unsigned
main_cause(const struct launch_line *base, const struct launch_line *now,
           unsigned first, int64_t *change)
{
    unsigned most = first;
    for (unsigned i = first; i < VENTUS_MODEL_STALLS; i++)
        if (llabs(change_of(base->slots[i], now->slots[i])) >
            llabs(change_of(base->slots[most], now->slots[most])))
            most = i;
    *change = change_of(base->slots[most], now->slots[most]);
    return most;
}

static const char *
place_at(struct arena *a, const char *file, uint64_t line)
{
    const char *slash = strrchr(file, '/');
    return arena_printf(a, "%s:%" PRIu64, slash ? slash + 1 : file, line);
}

static const char *
place_of(struct arena *a, const struct launch_line *l)
{
    return place_at(a, l->file, l->line);
}

/* Reports that launches lack the data that an option of exec records; false if they
 * have it. */
static bool
lacks_data(const char *what, const char *whose, uint64_t have, uint64_t all,
           const char *option, FILE *out)
{
    if (have == all)
        return false;
    fprintf(out, "\n  no %s%s", what, whose);
    if (have)
        fprintf(out, " in %" PRIu64 " of its %" PRIu64 " launches", all - have,
                all);
    fprintf(out, ": record with %s\n", option);
    return true;
}

static bool
lacks_counters(const struct launch_kernel *k, const char *whose, FILE *out)
{
    return lacks_data("counters", whose, k->counted, k->launches, "--stats",
                      out);
}

static bool
lacks_lines(const struct launch_kernel *k, const char *whose, FILE *out)
{
    return lacks_data("lines", whose, k->lined, k->launches, "--hot", out);
}

static void
put_source(FILE *out, const struct launch_line *l)
{
    text_write(out, l->source, SOURCE_SHOWN);
    fputc('\n', out);
}

/* ---- one file ---- */

static void
print_causes(const struct launch_kernel *k, FILE *out)
{
    if (lacks_counters(k, "", out) && !k->counted)
        return;
    fputs("\n  issue slots\n", out);
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        if (k->slots[i])
            fprintf(out, "  %-18s %12" PRIu64 "\n", ventus_model_stall_names[i],
                    k->slots[i]);
}

static void
print_lines(struct arena *a, const struct launch_kernel *k, FILE *out)
{
    struct rows r = list_rows(a, NULL, k);
    uint64_t whole = 0;
    /* As in the output of --hot. */
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        whole += i == VENTUS_MODEL_NO_WARP ? 0 : k->slots[i];
    lacks_lines(k, "", out);
    if (r.n)
        fprintf(out, "\n  %6s %12s %10s  %-23s  %s\n", "share", "slots",
                "issued", "mostly waits for", "line");
    for (size_t i = 0; i < r.n && i < ROWS_SHOWN; i++) {
        const struct launch_line *l = r.at[i].now;
        int64_t waits;
        unsigned cause =
            main_cause(&no_line, l, VENTUS_MODEL_ISSUED + 1, &waits);
        fprintf(out, "  %5.1f%% %12" PRIu64 " %10" PRIu64 "  %-18s %3.0f%%  ",
                whole ? 100.0 * (double)l->total / (double)whole : 0, l->total,
                l->issued, waits ? ventus_model_stall_names[cause] : "",
                100.0 * (double)waits / (double)l->total);
        fprintf(out, "%-22s ", place_of(a, l));
        put_source(out, l);
    }
}

static void
print_advice(struct arena *a, const struct launch_kernel *k, FILE *out)
{
    if (k->lines.n || k->n_advice)
        fputs("\n  what would help\n", out);
    if (k->lines.n && !k->n_advice)
        fputs("  " ADVICE_NONE "\n", out);
    for (size_t i = 0; i < k->n_advice; i++) {
        const struct launch_advice *x = &k->advice[i];
        if (x->gain != 0)
            fprintf(out, "  at most %6.2fx  ", x->gain);
        else
            fprintf(out, "  %15s  ", "");
        if (*x->file)
            fprintf(out, "%s: ", place_at(a, x->file, x->line));
        fprintf(out, "%s\n  %17s%s\n", x->cause, "", x->change);
        if (*x->shown)
            fprintf(out, "  %17s%s\n", "", x->shown);
    }
}

static void
print_kernel(struct arena *a, const struct launch_kernel *k, FILE *out)
{
    fprintf(out, "%s: %" PRIu64 " cycles in %" PRIu64 " launch%s\n", k->name,
            k->cycles, k->launches, k->launches == 1 ? "" : "es");
    print_causes(k, out);
    print_lines(a, k, out);
    print_advice(a, k, out);
}

/* ---- two files ---- */

static void
compare_causes(const struct launch_kernel *base,
               const struct launch_kernel *now, FILE *out)
{
    bool lack = lacks_counters(base, " in the base", out);
    if (lacks_counters(now, " now", out) || lack)
        return;
    fprintf(out, "\n  %-22s %12s %12s %12s\n", "issue slots", "base", "now",
            "change");
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        if (base->slots[i] || now->slots[i])
            fprintf(out, "  %-22s %12" PRIu64 " %12" PRIu64 " %+12" PRId64 "\n",
                    ventus_model_stall_names[i], base->slots[i], now->slots[i],
                    change_of(base->slots[i], now->slots[i]));
}

static void
compare_lines(struct arena *a, const struct launch_kernel *base,
              const struct launch_kernel *now, FILE *out)
{
    bool lack = lacks_lines(base, " in the base", out);
    if (lacks_lines(now, " now", out) || lack)
        return;
    struct rows r = list_rows(a, base, now);
    if (r.n)
        fprintf(out, "\n  %-22s %12s %12s %12s  %s\n", "line", "base", "now",
                "change", "mostly");
    for (size_t i = 0; i < r.n && i < ROWS_SHOWN; i++) {
        const struct row *x = &r.at[i];
        const struct launch_line *old = x->base ? x->base : &no_line;
        const struct launch_line *new = x->now ? x->now : &no_line;
        const struct launch_line *shown = x->now ? x->now : x->base;
        int64_t change;
        unsigned cause = main_cause(old, new, 0, &change);
        fprintf(out,
                "  %-22s %12" PRIu64 " %12" PRIu64 " %+12" PRId64
                "  %-18s %+11" PRId64 "  ",
                place_of(a, shown), old->total, new->total, x->change,
                ventus_model_stall_names[cause], change);
        fputs(!x->base ? "new: " : !x->now ? "gone: " : "", out);
        put_source(out, shown);
    }
}

static void
compare_kernel(struct arena *a, const struct launch_kernel *base,
               const struct launch_kernel *now, FILE *out)
{
    fprintf(out,
            "%s: %" PRIu64 " cycles before, %" PRIu64
            " now: %.3f times as fast\n",
            now->name, base->cycles, now->cycles,
            (double)base->cycles / (double)now->cycles);
    if (base->launches != now->launches)
        fprintf(out, "  launches: %" PRIu64 " before, %" PRIu64 " now\n",
                base->launches, now->launches);
    compare_causes(base, now, out);
    compare_lines(a, base, now, out);
}

static void
compare_files(struct arena *a, const struct launch_file *base,
              const struct launch_file *now, FILE *out)
{
    const char *gap = "";
    for (size_t i = 0; i < now->kernels.n; i++, gap = "\n") {
        const struct launch_kernel *k = now->kernels.at[i];
        const struct launch_kernel *old = launch_file_find(base, k->name);
        fputs(gap, out);
        if (old)
            compare_kernel(a, old, k, out);
        else
            fprintf(out, "%s: %" PRIu64 " cycles, not in the base\n", k->name,
                    k->cycles);
    }
    for (size_t i = 0; i < base->kernels.n; i++)
        if (!launch_file_find(now, base->kernels.at[i]->name))
            fprintf(out, "%s%s: %" PRIu64 " cycles before, no launch now\n",
                    gap, base->kernels.at[i]->name,
                    base->kernels.at[i]->cycles);
}

void
report_text(FILE *out, const char *base, const char *lines)
{
    struct arena a = { 0 };
    struct oom_cleanup free_a;
    struct launch_file old, now;
    oom_defer_arena(&free_a, &a);
    launch_file_read(&a, lines, &now);
    if (base) {
        launch_file_read(&a, base, &old);
        compare_files(&a, &old, &now, out);
    }
    for (size_t i = 0; !base && i < now.kernels.n; i++) {
        fputs(i ? "\n" : "", out);
        print_kernel(&a, now.kernels.at[i], out);
    }
    oom_release(&free_a);
}
