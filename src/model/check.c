/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of configurations, and reports of launches that do not end. */
#include "model/check.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "model/machine.h"

static bool
refuse(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool
refuse(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
    return false;
}

struct range {
    const char *name;
    bool power_of_two;
    uint64_t value, min, max;
};

static bool
check_range(const struct range *r, char *text, size_t size)
{
    bool power = !(r->value & (r->value - 1));
    if (r->value >= r->min && r->value <= r->max && (power || !r->power_of_two))
        return true;
    return refuse(text, size, "%s is %s%llu to %llu, found %llu", r->name,
                  r->power_of_two ? "a power of two, " : "",
                  (unsigned long long)r->min, (unsigned long long)r->max,
                  (unsigned long long)r->value);
}

/* Each value alone: the limits of the table. */
static bool
check_ranges(const struct ventus_model_config *c, char *text, size_t size)
{
    const struct range ranges[] = {
#define MODEL_KEY(section, name, member, type, unit, min, max, pow2, ...) \
    { #name, pow2, (uint64_t)c->member, min, max },
#include "model/config_table.h"
#undef MODEL_KEY
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (!check_range(&ranges[i], text, size))
            return false;
    return true;
}

/* A tree of ways has two halves everywhere. */
static bool
check_tree(const char *name, const struct ventus_model_cache *c, char *text,
           size_t size)
{
    if (c->replacement != VENTUS_MODEL_REPLACE_TREE_PLRU ||
        !(c->ways & (c->ways - 1)))
        return true;
    return refuse(text, size,
                  "%s_replacement = tree-plru needs %s_ways a power of two, "
                  "found %u",
                  name, name, c->ways);
}

static bool
check_tlbs(const struct ventus_model_config *c, char *text, size_t size)
{
    const struct {
        const char *key;
        unsigned entries;
    } tlb[] = { { "tlb_entries", c->tlb_entries },
                { "fetch_tlb_entries", c->fetch_tlb_entries },
                { "l2_tlb_entries", c->l2_tlb_entries } };
    bool tree = c->tlb_replacement == VENTUS_MODEL_REPLACE_TREE_PLRU;
    for (unsigned i = 0; tree && i < sizeof tlb / sizeof *tlb; i++)
        if (tlb[i].entries & (tlb[i].entries - 1))
            return refuse(text, size,
                          "tlb_replacement = tree-plru needs %s a power of "
                          "two, found %u",
                          tlb[i].key, tlb[i].entries);
    return true;
}

/* The place of a workgroup is freed by the CTA scheduler after the last end of a warp,
 * or by the SM that has drained (workgroup.c).  With flush_behind none drains. */
static bool
check_cta(const struct ventus_model_config *c, char *text, size_t size)
{
    if (c->wg_buffer && !c->flush_behind)
        return refuse(text, size,
                      "wg_buffer %u needs flush_behind = yes, found no",
                      c->wg_buffer);
    if (c->flush_behind && !c->wg_buffer && c->one_group)
        return refuse(text, size,
                      "flush_behind needs one_group = no, or a wg_buffer");
    return true;
}

/* A queue that a request finds too full when it is empty takes none, ever. */
static bool
check_dcache(const struct ventus_model_config *c, char *text, size_t size)
{
    return c->dcache_queue_room < c->dcache_queue ||
           refuse(text, size,
                  "dcache_queue_room is less than dcache_queue %u, found %u",
                  c->dcache_queue, c->dcache_queue_room);
}

/* A collector for each warp, and with two ports one for each port. */
static bool
check_collectors(const struct ventus_sim_config *machine,
                 const struct ventus_model_config *c, char *text, size_t size)
{
    if (c->collectors < machine->num_warp)
        return refuse(text, size,
                      "collectors %u: a warp may wait in each, and there are "
                      "num_warp %u",
                      c->collectors, machine->num_warp);
    return c->collectors >= c->issue_width ||
           refuse(text, size,
                  "issue_width %u needs as many collectors, found %u (0: "
                  "num_warp)",
                  c->issue_width, c->collectors);
}

bool
check_config(const struct ventus_sim_config *machine,
             const struct ventus_model_config *c, char *text, size_t size)
{
    if (machine->num_warp > MAX_WARPS)
        return refuse(text, size,
                      "num_warp is at most %d with engine = model, found %u",
                      MAX_WARPS, machine->num_warp);
    if (machine->num_sm > MAX_SMS)
        return refuse(text, size,
                      "num_sm is at most %d with engine = model, found %u",
                      MAX_SMS, machine->num_sm);
    if (!check_ranges(c, text, size))
        return false;
    if (!check_tree("icache", &c->icache, text, size) ||
        !check_tree("dcache", &c->dcache, text, size) ||
        !check_tree("l2", &c->l2, text, size) || !check_tlbs(c, text, size) ||
        !check_cta(c, text, size) || !check_dcache(c, text, size))
        return false;
    if (c->dram_row_B < c->l2.line_B)
        return refuse(text, size, "dram_row is at least l2_line %u, found %u",
                      c->l2.line_B, c->dram_row_B);
    if (c->l2.line_B != c->dcache.line_B || c->l2.line_B != c->icache.line_B)
        return refuse(text, size,
                      "l2_line %u differs from icache_line %u or dcache_line "
                      "%u: a request is one line",
                      c->l2.line_B, c->icache.line_B, c->dcache.line_B);
    return check_collectors(machine, c, text, size);
}

/* ---- a launch that does not end ---- */

static bool
is_same(const struct sm *s, unsigned a, unsigned b)
{
    return workgroup_place(&s->workgroup, a).group ==
               workgroup_place(&s->workgroup, b).group &&
           s->warp[a].next_pc == s->warp[b].next_pc;
}

/* A warp's number in its workgroup. */
static unsigned
number_of(const struct sm *s, unsigned warp)
{
    return workgroup_place(&s->workgroup, warp).id;
}

/* Names what a warp does or waits for. */
static const char *
name_state(const struct sm *s, unsigned warp, bool is_livelock)
{
    enum ventus_model_stall why = issue_why(&s->issue, warp);
    if (is_livelock && s->warp[warp].livelock.repeats)
        return "repeats itself";
    return why == VENTUS_MODEL_ISSUED ? "ready" : ventus_model_stall_names[why];
}

/* The slot of the next warp of a workgroup from a number on; NEVER: none. */
static int
find_warp(const struct sm *s, unsigned group, unsigned from)
{
    int found = NEVER;
    for (unsigned i = 0; i < s->warps; i++)
        if (workgroup_has_warp(&s->workgroup, i) &&
            workgroup_place(&s->workgroup, i).group == group &&
            number_of(s, i) >= from &&
            (found < 0 || number_of(s, i) < number_of(s, (unsigned)found)))
            found = (int)i;
    return found;
}

/* Appends the numbers of the warps that are where one is; bits are their slots. */
static uint64_t
report_same(struct ventus_sim_fault *f, const struct sm *s, unsigned warp,
            bool is_livelock)
{
    unsigned group = workgroup_place(&s->workgroup, warp).group;
    const char *state = name_state(s, warp, is_livelock);
    uint64_t told = 0;
    for (int k = (int)warp; k >= 0;
         k = find_warp(s, group, number_of(s, (unsigned)k) + 1)) {
        if (!is_same(s, warp, (unsigned)k) ||
            name_state(s, (unsigned)k, is_livelock) != state)
            continue;
        told |= bit_of((unsigned)k);
        text_append(f->text, sizeof f->text, " %u", number_of(s, (unsigned)k));
    }
    text_append(f->text, sizeof f->text, " at 0x%x: %s", s->warp[warp].next_pc,
                state);
    return told;
}

/* The warps of a workgroup; those that stand at the same place together. */
static void
report_group(struct ventus_sim_fault *f, const struct sm *s, unsigned group,
             bool is_livelock)
{
    const char *before = "";
    uint64_t told = 0;
    text_append(f->text, sizeof f->text, "\n  sm %u, workgroup %llu: ", s->id,
                (unsigned long long)workgroup_number(&s->workgroup, group));
    for (int i = find_warp(s, group, 0); i >= 0;
         i = find_warp(s, group, number_of(s, (unsigned)i) + 1)) {
        if (told >> i & 1)
            continue;
        text_append(f->text, sizeof f->text, "%swarp", before);
        before = ", ";
        told |= report_same(f, s, (unsigned)i, is_livelock);
    }
}

/* The first warp of an SM that is there, or repeats itself; NEVER: none. */
static int
first_warp(const struct sm *s, bool is_livelock)
{
    for (unsigned i = 0; i < s->warps; i++)
        if (workgroup_has_warp(&s->workgroup, i) &&
            (!is_livelock || s->warp[i].livelock.repeats))
            return (int)i;
    return NEVER;
}

/* The warp that a fault of all names: the first that repeats itself, or any. */
static void
name_warp(struct ventus_model *m, bool is_livelock)
{
    struct ventus_sim_fault *f = m->fault;
    unsigned i = 0;
    int warp = NEVER;
    while (i < m->sms && (warp = first_warp(&m->sm[i], is_livelock)) == NEVER)
        i++;
    if (warp == NEVER) {
        text_append(f->text, sizeof f->text, "; no SM has a warp");
        return;
    }
    const struct sm *s = &m->sm[i];
    struct warp_place at = workgroup_place(&s->workgroup, (unsigned)warp);
    const uint32_t *grid = m->launch->grid;
    f->pc = s->warp[warp].next_pc;
    f->warp = at.id;
    f->group = workgroup_number(&s->workgroup, at.group);
    f->group_at[0] = (uint32_t)(f->group % grid[0]);
    f->group_at[1] = (uint32_t)(f->group / grid[0] % grid[1]);
    f->group_at[2] = (uint32_t)(f->group / grid[0] / grid[1]);
    text_append(f->text, sizeof f->text,
                " at pc 0x%08llx, workgroup %llu (%u,%u,%u), warp %u",
                (unsigned long long)f->pc, (unsigned long long)f->group,
                f->group_at[0], f->group_at[1], f->group_at[2], f->warp);
}

/* Names every warp's place and what it waits for. */
static void
report_warps(struct ventus_model *m, bool is_livelock)
{
    struct ventus_sim_fault *f = m->fault;
    assert(f->kind && !m->failed);
    name_warp(m, is_livelock);
    for (unsigned i = 0; i < m->sms; i++)
        for (unsigned k = 0; k < m->slots; k++)
            if (workgroup_is_live(&m->sm[i].workgroup, k))
                report_group(f, &m->sm[i], k, is_livelock);
    m->failed = true;
}

/* The first L1D that waits for itself: why nothing goes on. */
static void
report_stuck(const struct ventus_model *m)
{
    struct ventus_sim_fault *f = m->fault;
    unsigned i = 0;
    while (i < m->sms && !dcache_is_stuck(&m->sm[i].dcache))
        i++;
    if (i < m->sms)
        text_append(
            f->text, sizeof f->text,
            "; the L1D of SM %u waits for itself: a dirty line, replaced "
            "by one that came, waits for room in the queue to the L2, "
            "and the stores in that queue for answers that follow the next "
            "line that comes, a fault of the RTL; faults=mended lets them pass",
            i);
}

void
report_deadlock(struct ventus_model *m)
{
    struct ventus_sim_fault *f = m->fault;
    *f =
        (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_STUCK, .lane = -1 };
    text_append(f->text, sizeof f->text,
                "deadlock (nothing was issued for %llu cycles",
                (unsigned long long)m->config.deadlock);
    report_stuck(m);
    if (memory_busy(&m->memory))
        text_append(f->text, sizeof f->text,
                    "; external memory has still to answer: the key deadlock "
                    "must be longer than its latency");
    text_append(f->text, sizeof f->text, ")");
    report_warps(m, false);
}

void
report_livelock(struct ventus_model *m, bool starves)
{
    struct ventus_sim_fault *f = m->fault;
    *f = (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_DEADLOCK,
                                    .lane = -1 };
    text_append(f->text, sizeof f->text,
                "deadlock (some warps repeat themselves for ever, the others ");
    if (starves)
        text_append(f->text, sizeof f->text, "were not issued for %llu cycles)",
                    (unsigned long long)m->config.deadlock);
    else
        text_append(f->text, sizeof f->text, "wait at a barrier)");
    report_warps(m, true);
}

void
report_internal(struct ventus_model *m, const char *assertion)
{
    struct ventus_sim_fault *f = m->fault;
    *f = (struct ventus_sim_fault){ .kind = VENTUS_SIM_FAULT_INTERNAL,
                                    .lane = -1 };
    text_append(f->text, sizeof f->text, "internal error: %s, cycle %llu",
                assertion, (unsigned long long)m->now);
    if (m->acting < m->sms)
        text_append(f->text, sizeof f->text, ", SM %u", m->acting);
    m->failed = true;
}

/* A warp that neither waits at a barrier nor has issued its last instruction has the
 * fault, as if it had issued now. */
static bool
ends_warp(struct ventus_model *m)
{
    for (unsigned i = 0; i < m->sms; i++)
        for (unsigned k = 0; k < m->sm[i].warps; k++) {
            const struct sm *s = &m->sm[i];
            if (!workgroup_has_warp(&s->workgroup, k) ||
                issue_waits(&s->issue) >> k & 1)
                continue;
            struct warp_place at = workgroup_place(&s->workgroup, k);
            if (!step_exists(s->stepper, at.group, at.id) ||
                !step_is_over(s->stepper, at.group, at.id))
                continue;
            *m->fault = *step_fault(s->stepper);
            return true;
        }
    return false;
}

void
report_ended(struct ventus_model *m, enum ventus_sim_fault_kind kind)
{
    struct ventus_sim_fault *f = m->fault;
    if (!ends_warp(m)) {
        *f = (struct ventus_sim_fault){ .kind = kind, .lane = -1 };
        text_append(f->text, sizeof f->text, "%s",
                    kind == VENTUS_SIM_FAULT_LIMIT ? "limit exceeded: max_ms"
                                                   : "stopped");
        name_warp(m, false);
    }
    m->failed = true;
}

void
report_stopped(struct ventus_model *m)
{
    struct ventus_sim_fault *f = m->fault;
    for (unsigned i = 0; i < m->sms && !f->kind; i++)
        if (m->sm[i].failed)
            *f = *step_fault(m->sm[i].stepper);
    if (f->kind != VENTUS_SIM_FAULT_STOPPED)
        return;
    char *own = strchr(f->text, ';'); /* the warps of one workgroup */
    if (own)
        *own = 0;
    for (unsigned i = 0; i < m->sms; i++)
        for (unsigned k = 0; k < m->slots; k++)
            if (workgroup_is_live(&m->sm[i].workgroup, k))
                report_group(f, &m->sm[i], k, false);
}
