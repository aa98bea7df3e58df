/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of event files (docs/events.md), which have only events that a test bench
 * can also print of an RTL.  An instruction keeps its pc and word from issue to
 * write-back. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/oom.h"
#include "dbg/trace_file.h"

enum { IN_FLIGHT_MAX = 1024, WARPS = 64 };

struct in_flight {
    uint32_t pc, word;
    bool valid, writes, stores;
};

struct event_sm {
    /* Instructions in flight by id. */
    struct in_flight in_flight[IN_FLIGHT_MAX];
    struct in_flight last[WARPS]; /* last issued instruction of each warp */
};

struct event_log {
    FILE *out;
    struct event_sm *sm;
    unsigned sms;
};

struct event_log *
event_log_new(FILE *out)
{
    struct event_log *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->out = out;
    fputs("# cycle kind sm warp pc word\n", out);
    return l;
}

void
event_log_free(struct event_log *l)
{
    if (l)
        free(l->sm);
    free(l);
}

void
event_log_begin(struct event_log *l, const char *kernel)
{
    fprintf(l->out, "K %s\n", kernel);
}

static void
need_sm(struct event_log *l, unsigned sm)
{
    if (sm < l->sms)
        return;
    struct event_sm *more = realloc(l->sm, (sm + 1) * sizeof *more);
    if (!more)
        base_out_of_memory(sm + 1, sizeof *more);
    l->sm = more;
    while (l->sms <= sm)
        l->sm[l->sms++] = (struct event_sm){ .last = { { 0 } } };
}

/* Whether an instruction writes a register.  Warp control does not: it uses the fields
 * of registers differently.  A fence that passes the sALU writes x0. */
static bool
writes_register(const struct ventus_isa_insn *in, unsigned unit)
{
    const struct ventus_isa_info *info = &ventus_isa_info[in->op];
    const struct ventus_isa_format_info *format =
        &ventus_isa_formats[info->format];
    if (info->unit == VENTUS_ISA_UNIT_WARP || in->op == VENTUS_ISA_JOIN)
        return false;
    if (in->op == VENTUS_ISA_FENCE)
        return unit == VENTUS_ISA_UNIT_SALU;
    for (unsigned i = 0; i < format->fields; i++)
        if (ventus_isa_fields[format->field[i]].out)
            return true;
    return false;
}

static struct in_flight
issued(const struct ventus_model_event *e)
{
    const struct ventus_sim_step *step = e->step;
    bool prefixed = step->words[1] && step->in->prefix;
    return (struct in_flight){
        .pc = e->pc,
        .word = step->words[prefixed],
        .valid = true,
        .writes = writes_register(step->in, e->unit),
        .stores = ventus_isa_info[step->in->op].flags & VENTUS_ISA_F_STORE,
    };
}

static void
print_insn(const struct event_log *l, const struct ventus_model_event *e,
           char kind, const struct in_flight *f)
{
    fprintf(l->out, "%" PRIu64 " %c %u %u %08" PRIx32 " %08" PRIx32 "\n",
            e->cycle, kind, e->sm, e->warp, f->pc, f->word);
}

/* Prints the write-back of an instruction, or the acknowledgement of a store; other
 * instructions have no event at their end. */
static void
print_done(const struct event_log *l, const struct ventus_model_event *e,
           struct in_flight *f, bool shown)
{
    if (!f->valid || f->pc != e->pc)
        return; /* a branch is resolved, or a sum is written twice */
    if (shown && (f->writes || f->stores))
        print_insn(l, e, f->writes ? 'W' : 'S', f);
    f->valid = false;
}

/* Prints the begin of a workgroup, whose SM is not known yet. */
static void
print_group(const struct event_log *l, const struct ventus_model_event *e)
{
    if (e->kind == VENTUS_MODEL_EVENT_GROUP)
        fprintf(l->out, "%" PRIu64 " G - %" PRIu64 " - -\n", e->cycle,
                e->group);
    else
        fprintf(l->out, "%" PRIu64 " D %u %" PRIu64 " - -\n", e->cycle, e->sm,
                e->group);
}

void
event_log_event(struct event_log *l, const struct ventus_model_event *e,
                bool shown)
{
    need_sm(l, e->sm);
    assert(e->sm < l->sms && e->warp < WARPS);
    struct event_sm *s = &l->sm[e->sm];
    struct in_flight *f = &s->in_flight[e->id % IN_FLIGHT_MAX];
    switch (e->kind) {
    case VENTUS_MODEL_EVENT_ISSUED:
        *f = s->last[e->warp] = issued(e);
        if (shown)
            print_insn(l, e, 'I', f);
        return;
    case VENTUS_MODEL_EVENT_ACCESS:
        if (shown)
            print_insn(l, e, 'A', f);
        return;
    case VENTUS_MODEL_EVENT_DONE:
        print_done(l, e, f, shown);
        return;
    case VENTUS_MODEL_EVENT_WARP_END:
        if (shown)
            print_insn(l, e, 'E', &s->last[e->warp]);
        return;
    case VENTUS_MODEL_EVENT_GROUP:
    case VENTUS_MODEL_EVENT_GROUP_END:
        if (shown)
            print_group(l, e);
        return;
    case VENTUS_MODEL_EVENT_REQUEST:
        if (shown)
            fprintf(l->out, "%" PRIu64 " %c - - %08" PRIx64 " -\n", e->cycle,
                    e->write ? 'M' : 'R', e->address);
        return;
    case VENTUS_MODEL_EVENT_KERNEL_END:
        if (shown)
            fprintf(l->out, "%" PRIu64 " F - - - -\n", e->cycle);
        return;
    case VENTUS_MODEL_EVENT_WARP:
    case VENTUS_MODEL_EVENT_FETCHED:
    case VENTUS_MODEL_EVENT_FLUSHED:
    case VENTUS_MODEL_EVENT_WAIT:
    case VENTUS_MODEL_EVENT_STARTED:
    case VENTUS_MODEL_EVENT_SLOT:
    case VENTUS_MODEL_EVENT_ANSWER:
        return;
    }
}
