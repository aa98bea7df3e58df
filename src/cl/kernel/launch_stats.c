/* SPDX-License-Identifier: Apache-2.0 */
#include "cl/kernel/launch_stats.h"
#include "base/arith.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/held.h"
#include "base/json.h"
#include "base/output.h"
#include "cl/api.h"
#include "dev/output/report.h"

/* The sums of one kernel, found by its name. */
struct sums {
    struct sums *next;
    char name[64];
    uint64_t launches, failed, items;
    struct ventus_dev_stats stats;
    uint64_t lanes_all; /* lanes that vector instructions could have used */
    uint64_t ns, cycles, warp_places; /* units as in struct report_counted */
    unsigned sgprs, vgprs;
    uint32_t spills, local_B, private_B;
    unsigned clock_MHz, num_sm;
    struct ventus_dev_counters counters, *sm; /* sm: by SM */
};

static struct {
    pthread_once_t once;
    pthread_mutex_t lock;
    bool table, wanted, counts; /* counts: a device counts cycles */
    const char *json;
    pid_t pid; /* a forked child reports nothing */
    struct sums *first, **last;
} stats = { .once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER };

static double
percent_of(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void
print_table(FILE *out)
{
    fprintf(out, "%-24s %8s %11s %13s %6s %5s %5s %6s %7s %7s %11s", "kernel",
            "launches", "work-items", "warp-instr", "SIMT", "sgpr", "vgpr",
            "spills", "local", "private", "time");
    fprintf(out, stats.counts ? " %13s\n" : "\n", "cycles");
    for (struct sums *s = stats.first; s; s = s->next) {
        char simt[16] = "-"; /* no vector instructions */
        if (s->lanes_all)
            snprintf(simt, sizeof simt, "%.1f%%",
                     percent_of(s->stats.vector_lanes, s->lanes_all));
        fprintf(out,
                "%-24s %8" PRIu64 " %11" PRIu64 " %13" PRIu64
                " %6s %5u %5u %6u %7u %7u %8.3f ms",
                s->name, s->launches, s->items, s->stats.warp_instructions,
                simt, s->sgprs, s->vgprs, s->spills, s->local_B, s->private_B,
                (double)s->ns / 1e6);
        fprintf(out, stats.counts ? " %13" PRIu64 "\n" : "\n", s->cycles);
        if (s->failed)
            fprintf(out, "%-24s %8" PRIu64 " of them failed\n", "", s->failed);
    }
}

static uint64_t
counter_of(const struct sums *s, const char *name)
{
    for (unsigned i = 0; i < s->counters.n; i++)
        if (strcmp(s->counters.at[i].name, name) == 0)
            return s->counters.at[i].value;
    return 0;
}

/* Prints the patterns of lanes' addresses, and the share of divergent branches. */
static void
print_patterns(FILE *out)
{
    fprintf(out, "\n%-24s %-6s %13s %13s %13s %9s %9s%s\n", "kernel", "access",
            "uniform", "unit stride", "scattered", "branches", "diverge",
            stats.counts ? "  requests of one" : "");
    for (struct sums *s = stats.first; s; s = s->next) {
        const struct ventus_dev_stats *t = &s->stats;
        uint64_t accesses = counter_of(s, "lsu_instructions");
        fprintf(out,
                "%-24s %-6s %13" PRIu64 " %13" PRIu64 " %13" PRIu64 " %9" PRIu64
                " %8.1f%%",
                s->name, "load", t->loads_uniform, t->loads_unit,
                t->loads_gather, t->branches,
                percent_of(t->branches_divergent, t->branches));
        if (accesses)
            fprintf(out, " %16.2f",
                    (double)counter_of(s, "lsu_requests") / (double)accesses);
        fprintf(out, "\n%-24s %-6s %13" PRIu64 " %13" PRIu64 " %13" PRIu64 "\n",
                "", "store", t->stores_uniform, t->stores_unit,
                t->stores_scatter);
    }
}

static void
put_counters(struct json *j, const char *name,
             const struct ventus_dev_counters *c)
{
    json_object(j, name);
    for (unsigned i = 0; i < c->n; i++)
        json_number(j, c->at[i].name, c->at[i].value);
    json_end(j);
}

/* Writes the counts of a machine that counts cycles. */
static void
put_counted(struct json *j, const struct sums *s)
{
    if (!s->counters.n)
        return;
    json_new_line(j);
    json_number(j, "clock_mhz", s->clock_MHz);
    put_counters(j, "counters", &s->counters);
    report_rates(j, &(struct report_counted){ .counters = &s->counters,
                                              .cycles = s->cycles,
                                              .warp_places = s->warp_places,
                                              .clock_MHz = s->clock_MHz });
    if (!s->sm)
        return;
    json_new_line(j);
    json_array(j, "sms");
    for (unsigned i = 0; i < s->num_sm; i++) {
        json_new_line(j);
        put_counters(j, NULL, &s->sm[i]);
    }
    json_end(j);
}

static void
put_kernel(struct json *j, const struct sums *s)
{
    const struct {
        const char *name;
        uint64_t value;
    } number[] = {
        { "launches", s->launches }, { "failed", s->failed },
        { "work_items", s->items },  { "sgprs", s->sgprs },
        { "vgprs", s->vgprs },       { "spills", s->spills },
        { "local_B", s->local_B },   { "private_B", s->private_B },
        { "cycles", s->cycles },     { "time_ns", s->ns },
    };
    json_object(j, NULL);
    json_string(j, "name", s->name);
    for (size_t i = 0; i < ARRAY_SIZE(number); i++)
        json_number(j, number[i].name, number[i].value);
    json_real(j, "simt_efficiency",
              percent_of(s->stats.vector_lanes, s->lanes_all) / 100, 4);
    report_counts(j, &s->stats);
    put_counted(j, s);
    json_end(j);
}

static void
print_json(FILE *out)
{
    struct json j = { .out = out };
    json_object(&j, NULL);
    json_array(&j, "kernels");
    for (struct sums *s = stats.first; s; s = s->next) {
        json_new_line(&j);
        put_kernel(&j, s);
    }
    json_new_line(&j);
    json_end(&j);
    json_end(&j);
    fputc('\n', out);
}

static void
report_all(void)
{
    if (getpid() != stats.pid)
        return;
    pthread_mutex_lock(&stats.lock);
    struct output o = { .is_open = false };
    FILE *json = stats.json ? output_stream(&o, stats.json) : NULL;
    if (json)
        print_json(json);
    if ((stats.json && !json) || !output_close(&o, true)) {
        cl_complain("cannot write %s: %s", stats.json, strerror(errno));
        cl_lose_output();
    }
    if (stats.table) {
        print_table(stderr);
        print_patterns(stderr);
    }
    pthread_mutex_unlock(&stats.lock);
}

static void
begin_stats(void)
{
    const char *table = cl_env("VENTUS_STATS");
    stats.table = table && strcmp(table, "0") != 0;
    stats.json = cl_env("VENTUS_STATS_JSON");
    stats.wanted = stats.table || stats.json;
    stats.pid = getpid();
    stats.last = &stats.first;
    if (stats.wanted)
        atexit(report_all);
}

bool
launch_stats_wanted(void)
{
    pthread_once(&stats.once, begin_stats);
    return stats.wanted;
}

void
launch_stats_reset(void)
{
    pthread_mutex_init(&stats.lock, NULL);
    stats.wanted = false;
}

/* Finds or adds a row; the lock is held. */
static struct sums *
find_row(const char *name)
{
    assert_held(&stats.lock);
    for (struct sums *s = stats.first; s; s = s->next)
        if (strncmp(s->name, name, sizeof s->name - 1) == 0)
            return s;
    struct sums *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    snprintf(s->name, sizeof s->name, "%s", name);
    assert(!*stats.last);
    *stats.last = s;
    stats.last = &s->next;
    return s;
}

/* Adds counters, which have the same names in the same order in every launch. */
static void
add_counters(struct ventus_dev_counters *to,
             const struct ventus_dev_counters *from)
{
    assert(!to->n || !from->n || to->n == from->n);
    for (unsigned i = 0; i < from->n; i++) {
        to->at[i].name = from->at[i].name;
        to->at[i].value += from->at[i].value;
    }
    to->n = from->n ? from->n : to->n;
}

static void
add_counted(struct sums *s, const struct ventus_dev_result *r)
{
    s->clock_MHz = r->clock_MHz;
    s->warp_places += report_counted_of(r).warp_places;
    add_counters(&s->counters, &r->counters);
    if (!r->sm || (s->sm && s->num_sm != r->num_sm))
        return; /* counters of another kind of device */
    if (!s->sm)
        s->sm = calloc(r->num_sm, sizeof *s->sm);
    s->num_sm = s->sm ? r->num_sm : 0;
    for (unsigned i = 0; i < s->num_sm; i++)
        add_counters(&s->sm[i], &r->sm[i]);
}

void
launch_stats_add(const struct ventus_dev_kernel *k,
                 const struct ventus_dev_launch *launch,
                 const struct ventus_dev_result *r, unsigned lanes, uint64_t ns)
{
    if (!launch_stats_wanted())
        return;
    pthread_mutex_lock(&stats.lock);
    struct sums *s = find_row(k->name);
    if (s) {
        s->launches++;
        s->failed += !r->ok;
        s->items += launch->global[0] * launch->global[1] * launch->global[2];
        ventus_dev_stats_add(&s->stats, &r->stats);
        s->lanes_all += r->stats.vector_instructions * lanes;
        s->ns += ns;
        s->cycles += r->cycles;
        stats.counts |= r->cycles != 0;
        if (r->cycles)
            add_counted(s, r);
        s->spills = k->spills;
        s->sgprs = k->sgprs;
        s->vgprs = k->vgprs;
        s->local_B = k->local_B;
        s->private_B = k->private_B;
    }
    pthread_mutex_unlock(&stats.lock);
}
