/* SPDX-License-Identifier: Apache-2.0 */
/* The findings of a device: begins, collects, sums up. */
#include "dev/findings.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/oom.h"
#include "base/text.h"
#include "dev/debug.h"

enum { DEFAULT_LIMIT = 100 };

struct sanitize *
findings_check(const struct ventus_dev *d)
{
    assert(d->findings);
    return d->findings->check;
}

/* ---- what is wanted ---- */

/* "memory,race"; 0 after dev_fail. */
static unsigned
parse_kinds(const char *text)
{
    static const struct {
        const char *name;
        unsigned kind;
    } known[] = {
        { "memory", SANITIZE_MEMORY }, { "init", SANITIZE_INIT },
        { "race", SANITIZE_RACE },     { "sync", SANITIZE_SYNC },
        { "all", SANITIZE_KINDS },
    };
    unsigned kinds = 0;
    if (!text || !*text)
        return SANITIZE_KINDS;
    for (size_t n; *text; text += n + (text[n] == ',')) {
        n = strcspn(text, ",");
        size_t i = 0, all = sizeof known / sizeof *known;
        while (i < all && (strlen(known[i].name) != n ||
                           strncmp(known[i].name, text, n) != 0))
            i++;
        if (i == all) {
            dev_fail("check '%.*s': expected memory, init, race, sync or all",
                     (int)n, text);
            return 0;
        }
        kinds |= known[i].kind;
    }
    return kinds;
}

struct opening {
    struct findings *f;
    const char *path;
    bool ok;
};

static void
read_suppressions(void *ctx)
{
    struct opening *o = ctx;
    struct diag_sink sink = { .arena = &o->f->arena };
    o->ok = suppress_read(&o->f->arena, &o->f->suppress, o->path, &sink);
    if (!o->ok)
        dev_fail_sink(&sink);
}

static void
free_findings(struct findings *f)
{
    sanitize_destroy(f->check);
    arena_free(&f->arena);
    free(f);
}

bool
ventus_dev_check(struct ventus_dev *d, const struct ventus_dev_check *what)
{
    if (!engine_can(&d->config, VENTUS_DEV_SANITIZES))
        return dev_fail("checks need the functional machine (engine=sim)");
    if (d->findings || d->space.n)
        return dev_fail("checks begin once, before the first allocation");
    unsigned kinds = parse_kinds(what->kinds);
    if (!kinds)
        return false;
    struct findings *f = calloc(1, sizeof *f);
    if (!f)
        return dev_fail_memory("checks");
    f->kinds = kinds;
    f->out = what->text;
    f->limit = what->limit ? what->limit : DEFAULT_LIMIT;
    f->check = sanitize_create(&(struct sanitize_options){
        .kinds = kinds, .uniform_writes = what->uniform_writes });
    struct opening o = { .f = f, .path = what->suppress, .ok = true };
    bool room = f->check != NULL;
    if (room && what->suppress)
        room = oom_call(read_suppressions, &o);
    if (room && o.ok) {
        d->findings = f;
        return true;
    }
    free_findings(f);
    return room ? false : dev_fail_memory("checks");
}

void
findings_free(struct ventus_dev *d)
{
    if (d->findings)
        free_findings(d->findings);
    d->findings = NULL;
}

/* ---- a launch ---- */

struct adding {
    struct findings *f;
    const struct sanitize_finding *found;
    size_t number;
};

static void
add(void *ctx)
{
    const struct adding *a = ctx;
    struct findings *f = a->f;
    struct finding *new = arena_new(&f->arena, struct finding, 1);
    finding_describe(&f->arena, f->ticket, a->found, new);
    new->launch = f->launches;
    const struct finding_side *at = &new->here;
    const char *place =
        !at->file ? "?" : arena_printf(&f->arena, "%s:%u", at->file, at->line);
    new->suppressed =
        suppress_matches(&f->suppress, new->id, new->kernel, place);
    while (f->list.n <= a->number)
        vec_push(&f->arena, &f->list, NULL);
    f->list.at[a->number] = new;
    if (!new->suppressed)
        debug_notice(f->ticket->dev,
                     arena_printf(&f->arena, "ventus: %s: %s%s%s", new->id,
                                  new->text, *new->where ? ": " : "",
                                  new->where));
    if (!f->out || new->suppressed || f->shown == f->limit)
        return;
    finding_print(new, f->out);
    if (++f->shown == f->limit)
        fprintf(f->out, "ventus: further findings are only counted\n");
    fflush(f->out);
}

static void
on_finding(void *ctx, const struct sanitize_finding *found, size_t number)
{
    struct ventus_dev_ticket *t = ctx;
    struct adding a = { t->dev->findings, found, number };
    if (!oom_call(add, &a))
        a.f->incomplete = true;
}

const struct ventus_sim_watch *
findings_begin(struct ventus_dev_ticket *t)
{
    struct findings *f = t->dev->findings;
    const struct scratch *print = &t->dev->print;
    assert(!f->ticket);
    f->ticket = t;
    f->launches++;
    const struct ventus_dev_kernel *k = t->launch.kernel;
    uint64_t own = DEV_LOCAL + (uint64_t)t->run.warps * DEV_SPILL_B;
    return sanitize_begin(f->check, on_finding, t, print->address, print->room,
                          own + k->exchange_at, k->exchange_B);
}

void
findings_end(struct ventus_dev_ticket *t)
{
    struct findings *f = t->dev->findings;
    assert(f->ticket == t);
    sanitize_end(f->check);
    f->ticket = NULL;
}

void
findings_fault(struct ventus_dev_ticket *t)
{
    t->dev->findings->faults++;
}

/* ---- the end ---- */

static bool
counts(const struct findings *f, size_t i)
{
    return f->list.at[i] && !f->list.at[i]->suppressed;
}

uint64_t
ventus_dev_check_found(struct ventus_dev *d, uint64_t *all)
{
    uint64_t different = 0, each = 0;
    const struct findings *f = d->findings;
    queue_wait_all(d);
    for (size_t i = 0; f && i < f->list.n; i++)
        if (counts(f, i)) {
            different++;
            each += sanitize_count(f->check, i);
        }
    if (f) {
        different += f->faults;
        each += f->faults;
    }
    if (all)
        *all = each;
    return different;
}

static void
write_text(const struct findings *f, uint64_t different, uint64_t all,
           FILE *out)
{
    uint64_t suppressed = 0;
    fprintf(out,
            "ventus: %" PRIu64 " finding%s, made %" PRIu64
            " time%s, in %" PRIu64 " launch%s",
            different, text_plural(different), all, text_plural(all),
            f->launches, f->launches == 1 ? "" : "es");
    for (size_t i = 0; i < f->list.n; i++)
        suppressed += f->list.at[i] && f->list.at[i]->suppressed;
    if (suppressed)
        fprintf(out, "; %" PRIu64 " suppressed", suppressed);
    fputc('\n', out);
    for (size_t i = 0; i < f->list.n; i++) {
        const struct finding *e = f->list.at[i];
        if (!counts(f, i))
            continue;
        uint64_t n = sanitize_count(f->check, i);
        fprintf(out, "%8" PRIu64 " %s in kernel '%s'", n, e->id, e->kernel);
        if (e->here.file)
            fprintf(out, " (%s:%u)", e->here.file, e->here.line);
        fputc('\n', out);
    }
    if (f->faults)
        fprintf(out, "%8" PRIu64 " launch%s ended by a fault\n", f->faults,
                f->faults == 1 ? "" : "es");
}

static void
write_json(const struct findings *f, uint64_t different, uint64_t all,
           FILE *out)
{
    struct json j = { .out = out };
    json_object(&j, NULL);
    json_number(&j, "findings", different);
    json_number(&j, "made", all);
    json_number(&j, "launches", f->launches);
    json_number(&j, "faults", f->faults);
    json_array(&j, "list");
    for (size_t i = 0; i < f->list.n; i++)
        if (f->list.at[i])
            finding_json(f->list.at[i], sanitize_count(f->check, i), &j);
    json_end(&j);
    json_new_line(&j);
    json_end(&j);
    fputc('\n', out);
}

bool
ventus_dev_check_summary(struct ventus_dev *d, FILE *text, FILE *json)
{
    const struct findings *f = d->findings;
    uint64_t all, different = ventus_dev_check_found(d, &all);
    if (!f)
        return dev_fail("this device has no checks");
    if (text)
        write_text(f, different, all, text);
    if (json)
        write_json(f, different, all, json);
    if ((text && ferror(text)) || (json && ferror(json)))
        return dev_fail("the findings cannot be written");
    return !f->incomplete || dev_fail_memory("all findings");
}
