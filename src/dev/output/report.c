/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/output/report.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "dev/output/profile.h"

static double
percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double
seconds(const struct ventus_dev_result *r)
{
    return (double)(r->end_ns - r->start_ns) * 1e-9;
}

static double
efficiency(const struct ventus_dev_stats *s, unsigned num_thread)
{
    return percent(s->vector_lanes, s->vector_instructions * num_thread);
}

static void
line(FILE *out, const char *what, uint64_t n, const char *note)
{
    fprintf(out, "  %-26s %14" PRIu64 "%s%s\n", what, n, *note ? "  " : "",
            note);
}

static void
report_classes(FILE *out, const struct ventus_dev_stats *s)
{
    fprintf(out, "\n  %-8s %14s %8s %16s\n", "class", "warp-instr", "share",
            "thread-instr");
    for (unsigned i = 0; i < s->n_classes; i++)
        if (s->classes[i].warp)
            fprintf(out, "  %-8s %14" PRIu64 " %7.1f%% %16" PRIu64 "\n",
                    s->classes[i].name, s->classes[i].warp,
                    percent(s->classes[i].warp, s->warp_instructions),
                    s->classes[i].thread);
}

static uint64_t
counter_in(const struct ventus_dev_counters *c, const char *name)
{
    for (unsigned i = 0; i < c->n; i++)
        if (strcmp(c->at[i].name, name) == 0)
            return c->at[i].value;
    return 0;
}

static uint64_t
counter(const struct ventus_dev_result *r, const char *name)
{
    return counter_in(&r->counters, name);
}

/* Rates that are computed from the counters. */
struct rates {
    double ipc, occupancy, lanes, requests, bytes, GB;
};

static double
ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static struct rates
rates_of_counted(const struct report_counted *c)
{
    const struct ventus_dev_counters *of = c->counters;
    double bytes = ratio(counter_in(of, "memory_B"), c->cycles);
    return (struct rates){
        .ipc = ratio(counter_in(of, "issued"), c->cycles),
        .occupancy = ratio(counter_in(of, "warp_cycles"), c->warp_places),
        .lanes = ratio(counter_in(of, "vector_lanes"),
                       counter_in(of, "vector_issued")),
        .requests = ratio(counter_in(of, "lsu_requests"),
                          counter_in(of, "lsu_instructions")),
        .bytes = bytes,
        .GB = bytes * c->clock_MHz * 1e-3,
    };
}

struct report_counted
report_counted_of(const struct ventus_dev_result *r)
{
    return (struct report_counted){
        .counters = &r->counters,
        .cycles = r->cycles,
        .warp_places = (uint64_t)r->num_sm * r->num_warp * r->cycles,
        .clock_MHz = r->clock_MHz,
    };
}

static struct rates
rates_of(const struct ventus_dev_result *r)
{
    struct report_counted c = report_counted_of(r);
    return rates_of_counted(&c);
}

static void
hits(FILE *out, const struct ventus_dev_result *r, const char *what,
     const char *hit, const char *miss)
{
    uint64_t h = counter(r, hit), m = counter(r, miss);
    if (h + m)
        fprintf(out,
                "  %-26s %14" PRIu64 "  hits %14" PRIu64 " misses %6.1f%%\n",
                what, h, m, percent(h, h + m));
}

static void
report_sms(FILE *out, const struct ventus_dev_result *r)
{
    if (!r->sm)
        return;
    fprintf(out, "\n  %-4s %10s %12s %8s %8s %10s %10s %10s\n", "SM",
            "workgroups", "issued", "slots", "no warp", "L1I hits", "L1D hits",
            "L2 hits");
    for (unsigned i = 0; i < r->num_sm; i++) {
        const struct ventus_dev_counters *c = &r->sm[i];
        uint64_t hit = counter_in(c, "read_hits") + counter_in(c, "write_hits");
        uint64_t miss =
            counter_in(c, "read_misses") + counter_in(c, "write_misses");
        uint64_t l2 = counter_in(c, "l2_gets") + counter_in(c, "l2_puts");
        uint64_t slots = counter_in(c, "slots");
        uint64_t fetched =
            counter_in(c, "icache_hits") + counter_in(c, "icache_misses");
        fprintf(out,
                "  %-4u %10" PRIu64 " %12" PRIu64
                " %7.1f%% %7.1f%% %9.1f%% %9.1f%% %9.1f%%\n",
                i, counter_in(c, "workgroups"), counter_in(c, "issued"),
                percent(counter_in(c, "issued"), slots),
                percent(counter_in(c, "no_warp"), slots),
                percent(counter_in(c, "icache_hits"), fetched),
                percent(hit, hit + miss),
                percent(counter_in(c, "l2_hits"), l2));
    }
}

/* Prints what an engine that counts cycles knows of the launch. */
static void
report_cycles(FILE *out, const struct ventus_dev_result *r)
{
    assert(r->cycles > 0);
    uint64_t slots = counter(r, "slots"), issued = counter(r, "issued");
    char note[64];
    snprintf(note, sizeof note, "%.3f instructions a cycle",
             (double)issued / (double)r->cycles);
    fprintf(out, "\n");
    line(out, "cycles", r->cycles, note);
    snprintf(note, sizeof note, "%.2f on average, %.1f%% of the places",
             (double)counter(r, "warp_cycles") / (double)r->cycles,
             100 * rates_of(r).occupancy);
    line(out, "resident warp-cycles", counter(r, "warp_cycles"), note);
    fprintf(out, "\n  %-26s %14s %8s\n", "issue slots", "", "share");
    for (unsigned i = 0; i < VENTUS_MODEL_STALLS; i++)
        fprintf(out, "  %-26s %14" PRIu64 " %7.1f%%\n",
                ventus_model_stall_names[i],
                counter(r, ventus_model_stall_names[i]),
                percent(counter(r, ventus_model_stall_names[i]), slots));
    fprintf(out, "\n");
    hits(out, r, "L1I", "icache_hits", "icache_misses");
    hits(out, r, "L1D loads", "read_hits", "read_misses");
    hits(out, r, "L1D stores", "write_hits", "write_misses");
    hits(out, r, "TLBs of SMs", "tlb_hits", "tlb_misses");
    hits(out, r, "TLBs of fetches", "fetch_tlb_hits", "fetch_tlb_misses");
    hits(out, r, "TLB of the L2", "l2_tlb_hits", "l2_tlb_misses");
    hits(out, r, "DRAM rows", "row_hits", "row_misses");
    snprintf(note, sizeof note, "%" PRIu64 " hits, %" PRIu64 " stores",
             counter(r, "l2_hits"), counter(r, "l2_puts"));
    line(out, "L2 requests", counter(r, "l2_gets") + counter(r, "l2_puts"),
         note);
    snprintf(note, sizeof note, "%" PRIu64 " writes, busy %.1f%% of the time",
             counter(r, "memory_writes"),
             percent(counter(r, "memory_busy"), r->cycles));
    line(out, "memory reads", counter(r, "memory_reads"), note);
    snprintf(note, sizeof note, "%.2f a cycle, %.2f GB/s at %u MHz",
             rates_of(r).bytes, rates_of(r).GB, r->clock_MHz);
    line(out, "memory bytes", counter(r, "memory_B"), note);
    snprintf(note, sizeof note, "%.2f for each load or store",
             counter(r, "lsu_instructions")
                 ? (double)counter(r, "lsu_requests") /
                       (double)counter(r, "lsu_instructions")
                 : 0);
    line(out, "L1D requests", counter(r, "lsu_requests"), note);
    line(out, "cycles with MSHRs full", counter(r, "mshr_full"), "");
    line(out, "register bank conflicts", counter(r, "bank_conflicts"),
         "cycles that operands waited");
    line(out, "crossbar waits", counter(r, "crossbar_waits"), "the same");
    snprintf(note, sizeof note, "%" PRIu64 " cycles more by bank conflicts",
             counter(r, "local_conflicts"));
    line(out, "local memory requests", counter(r, "local_requests"), note);
    report_sms(out, r);
}

void
report_notes(FILE *out, const char *who, const struct ventus_dev_result *r)
{
    assert(r->ok && "a message says why it failed");
    for (const char *line = r->message; *line;) {
        int n = (int)strcspn(line, "\n");
        fprintf(out, "%s: %.*s\n", who, n, line);
        line += n + (line[n] == '\n');
    }
}

void
report_stats(FILE *out, const struct ventus_dev_result *r, unsigned num_thread)
{
    const struct ventus_dev_stats *s = &r->stats;
    double t = seconds(r);
    char note[64];
    fprintf(out, "\n");
    line(out, "workgroups", s->workgroups, "");
    line(out, "warp-instructions", s->warp_instructions, "");
    line(out, "thread-instructions", s->thread_instructions, "");
    fprintf(out, "  %-26s %13.1f%%  of %u lanes, in vector instructions\n",
            "SIMT efficiency", efficiency(s, num_thread), num_thread);
    snprintf(note, sizeof note, "%.1f%% diverge",
             percent(s->branches_divergent, s->branches));
    line(out, "thread branches", s->branches, note);
    line(out, "deepest SIMT stack", s->max_stack, "");
    line(out, "barriers", s->barriers, "");
    report_classes(out, s);
    fprintf(out, "\n  %-8s %14s %14s %14s\n", "access", "uniform",
            "unit stride", "scattered");
    fprintf(out, "  %-8s %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", "load",
            s->loads_uniform, s->loads_unit, s->loads_gather);
    fprintf(out, "  %-8s %14" PRIu64 " %14" PRIu64 " %14" PRIu64 "\n", "store",
            s->stores_uniform, s->stores_unit, s->stores_scatter);
    if (r->cycles)
        report_cycles(out, r);
    fprintf(out, "\n  host: %.6f s", t);
    if (t > 0)
        fprintf(out, ", %.2f M warp-instructions/s while counting",
                (double)s->warp_instructions / t / 1e6);
    fprintf(out, "\n");
}

void
report_counts(struct json *j, const struct ventus_dev_stats *s)
{
    const struct {
        const char *name;
        uint64_t value;
    } number[] = {
        { "workgroups", s->workgroups },
        { "warp_instructions", s->warp_instructions },
        { "thread_instructions", s->thread_instructions },
        { "vector_instructions", s->vector_instructions },
        { "vector_lanes", s->vector_lanes },
        { "branches", s->branches },
        { "branches_divergent", s->branches_divergent },
        { "joins", s->joins },
        { "max_stack", s->max_stack },
        { "barriers", s->barriers },
        { "loads_uniform", s->loads_uniform },
        { "loads_unit", s->loads_unit },
        { "loads_gather", s->loads_gather },
        { "stores_uniform", s->stores_uniform },
        { "stores_unit", s->stores_unit },
        { "stores_scatter", s->stores_scatter },
    };
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        json_number(j, number[i].name, number[i].value);
    json_object(j, "classes");
    for (unsigned i = 0; i < s->n_classes; i++) {
        json_object(j, s->classes[i].name);
        json_number(j, "warp", s->classes[i].warp);
        json_number(j, "thread", s->classes[i].thread);
        json_end(j);
    }
    json_end(j);
}

static void
json_stats(struct json *j, const struct ventus_dev_stats *s,
           unsigned num_thread)
{
    json_object(j, "stats");
    json_real(j, "simt_efficiency", efficiency(s, num_thread) / 100, 4);
    report_counts(j, s);
    json_end(j);
}

static void
json_list(struct json *j, const char *name, const struct ventus_dev_counters *c)
{
    json_object(j, name);
    for (unsigned i = 0; i < c->n; i++)
        json_number(j, c->at[i].name, c->at[i].value);
    json_end(j);
}

void
report_rates(struct json *j, const struct report_counted *c)
{
    struct rates rates = rates_of_counted(c);
    json_object(j, "rates");
    json_real(j, "ipc", rates.ipc, 6);
    json_real(j, "occupancy", rates.occupancy, 6);
    json_real(j, "lanes_per_vector", rates.lanes, 6);
    json_real(j, "requests_per_access", rates.requests, 6);
    json_real(j, "memory_B_per_cycle", rates.bytes, 6);
    json_real(j, "memory_GB_per_s", rates.GB, 6);
    json_end(j);
}

static void
json_counters(struct json *j, const struct ventus_dev_result *r, bool sms)
{
    json_number(j, "cycles", r->cycles);
    if (!r->counters.n)
        return;
    json_number(j, "clock_mhz", r->clock_MHz);
    json_list(j, "counters", &r->counters);
    struct report_counted counted = report_counted_of(r);
    report_rates(j, &counted);
    if (!sms || !r->sm)
        return;
    json_array(j, "sms");
    for (unsigned i = 0; i < r->num_sm; i++)
        json_list(j, NULL, &r->sm[i]);
    json_end(j);
}

static void
json_profile(struct json *j, const struct ventus_dev_profile *profile)
{
    const struct profile_machine m = profile->profile.machine;
    json_object(j, "machine");
    json_number(j, "num_sm", m.num_sm);
    json_number(j, "num_warp", m.num_warp);
    json_number(j, "line_B", m.line_B);
    json_number(j, "dcache_line_B", m.dcache_line_B);
    json_number(j, "clock_mhz", m.clock_MHz);
    json_real(j, "peak_bytes_per_cycle", m.peak_B, 6);
    json_end(j);
    profile_json(&profile->profile, j);
}

static void
json_vector(struct json *j, const char *name, const uint64_t at[3])
{
    json_array(j, name);
    for (unsigned i = 0; i < 3; i++)
        json_number(j, NULL, at[i]);
    json_end(j);
}

static void
json_fault(struct json *j, const struct ventus_dev_fault *f)
{
    json_object(j, "fault");
    json_string(j, "kind", f->kind);
    json_number(j, "pc", f->pc);
    json_number(j, "address", f->address);
    json_vector(j, "group", f->group);
    json_number(j, "warp", f->warp);
    json_signed(j, "lane", f->lane);
    if (f->item[0] != VENTUS_DEV_NO_ITEM)
        json_vector(j, "item", f->item);
    json_string(j, "place", f->place);
    json_string(j, "insn", f->insn);
    json_end(j);
}

void
report_json(FILE *out, const char *name, const struct ventus_dev_result *r,
            unsigned num_thread, bool stats)
{
    struct json j = { .out = out };
    json_object(&j, NULL);
    json_string(&j, "name", name);
    json_bool(&j, "ok", r->ok);
    json_number(&j, "num_thread", num_thread);
    /* Counts of a model are the same in every run, byte by byte. */
    if (!r->cycles)
        json_number(&j, "host_ns", r->end_ns - r->start_ns);
    if (!r->ok)
        json_string(&j, "message", r->message);
    if (r->fault.kind)
        json_fault(&j, &r->fault);
    if (r->cycles)
        json_counters(&j, r, !r->profile);
    if (stats)
        json_stats(&j, &r->stats, num_thread);
    if (r->profile)
        json_profile(&j, r->profile);
    json_end(&j);
    fputc('\n', out);
}

void
report_hot(FILE *out, const struct ventus_dev_result *r)
{
    if (r->profile)
        profile_hot(&r->profile->profile, out);
}

void
report_share(FILE *out, const char *who, const struct ventus_dev_share *s)
{
    double all = (double)s->native + (double)s->interpreted;
    fprintf(out, "%s: %.1f%% of the instructions ran as code of the host%s%s\n",
            who, all > 0 ? 100 * (double)s->native / all : 0,
            s->why ? "; " : "", s->why ? s->why : "");
}
