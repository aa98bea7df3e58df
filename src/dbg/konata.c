/* SPDX-License-Identifier: Apache-2.0 */
/* The writer of Konata's log (format "Kanata 0004").  Records of an instruction: fetch
 * (I), label (L), start of a stage (S), retirement or flush (R); C advances the time. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/oom.h"
#include "dbg/trace_file.h"

enum { FETCHED_MAX = 32, IN_FLIGHT_MAX = 1024, WARPS = 64 };

/* A fetched pair's instruction.  Numbers in the file are from 1 here; 0: left out. */
struct fetched {
    uint64_t number;
    uint32_t pc;
};

struct slot {
    struct fetched at[FETCHED_MAX];
    unsigned n;
};

struct konata_sm {
    struct slot slot[WARPS];
    uint64_t in_flight[IN_FLIGHT_MAX]; /* number in the file by id */
};

struct konata {
    FILE *out;
    uint64_t numbers, retired, now;
    bool headed, started; /* started: an instruction was shown */
    struct konata_sm *sm;
    unsigned sms;
};

struct konata *
konata_new(FILE *out)
{
    struct konata *k = calloc(1, sizeof *k);
    if (k)
        k->out = out;
    return k;
}

void
konata_free(struct konata *k)
{
    if (k)
        free(k->sm);
    free(k);
}

/* Writes the head, without which the viewer refuses the file. */
static void
put_head(struct konata *k, uint64_t at)
{
    if (k->headed)
        return;
    fprintf(k->out, "Kanata\t0004\nC=\t%" PRIu64 "\n", at);
    k->headed = true;
    k->now = at;
}

static void
move_on(struct konata *k, uint64_t at)
{
    put_head(k, at);
    if (at > k->now)
        fprintf(k->out, "C\t%" PRIu64 "\n", at - k->now);
    k->started = true;
    k->now = at;
}

static void
show_fetch(struct konata *k, const struct ventus_model_event *e, uint32_t pc)
{
    assert(e->sm < k->sms && e->warp < WARPS);
    struct slot *s = &k->sm[e->sm].slot[e->warp];
    if (s->n == FETCHED_MAX)
        return;
    uint64_t number = ++k->numbers;
    s->at[s->n++] = (struct fetched){ number, pc };
    fprintf(k->out, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", number - 1, number - 1,
            e->sm * WARPS + e->warp);
    fprintf(k->out, "L\t%" PRIu64 "\t0\tSM%u W%02u %08" PRIx32 " \n",
            number - 1, e->sm, e->warp, pc);
    fprintf(k->out, "S\t%" PRIu64 "\t0\tIb\n", number - 1);
}

/* Writes R: type 0 retired, 1 flushed. */
static void
end_insn(struct konata *k, uint64_t number, unsigned type)
{
    if (number)
        fprintf(k->out, "R\t%" PRIu64 "\t%" PRIu64 "\t%u\n", number - 1,
                k->retired++, type);
}

static void
flush_slot(struct konata *k, struct slot *s)
{
    for (unsigned i = 0; i < s->n; i++)
        end_insn(k, s->at[i].number, 1);
    s->n = 0;
}

/* Removes the instruction at pc, and those fetched before it, which were flushed;
 * returns its number. */
static uint64_t
take_fetched(struct konata *k, struct slot *s, uint32_t pc)
{
    unsigned i = 0;
    while (i < s->n && s->at[i].pc != pc)
        i++;
    if (i == s->n)
        return 0; /* fetched outside of the window */
    uint64_t number = s->at[i].number;
    assert(number && i < s->n);
    for (unsigned j = 0; j < i; j++)
        end_insn(k, s->at[j].number, 1);
    s->n -= i + 1;
    for (unsigned j = 0; j < s->n; j++)
        s->at[j] = s->at[j + i + 1];
    return number;
}

static void
show_issue(struct konata *k, const struct ventus_model_event *e,
           const char *text)
{
    struct konata_sm *sm = &k->sm[e->sm];
    uint64_t number = take_fetched(k, &sm->slot[e->warp], e->pc);
    sm->in_flight[e->id % IN_FLIGHT_MAX] = number;
    if (!number)
        return;
    fprintf(k->out, "L\t%" PRIu64 "\t0\t%s\n", number - 1, text);
    fprintf(k->out, "S\t%" PRIu64 "\t0\tOc\n", number - 1);
}

static void
need_sm(struct konata *k, unsigned sm)
{
    if (sm < k->sms)
        return;
    struct konata_sm *more = realloc(k->sm, (sm + 1) * sizeof *more);
    if (!more)
        base_out_of_memory(sm + 1, sizeof *more);
    k->sm = more;
    while (k->sms <= sm)
        k->sm[k->sms++] = (struct konata_sm){ .in_flight = { 0 } };
}

void
konata_event(struct konata *k, const struct ventus_model_event *e, uint64_t at,
             const char *text, bool shown)
{
    if (!shown && !k->started)
        return;
    need_sm(k, e->sm);
    assert(e->sm < k->sms && e->warp < WARPS);
    uint64_t *in_flight = &k->sm[e->sm].in_flight[e->id % IN_FLIGHT_MAX];
    move_on(k, at);
    switch (e->kind) {
    case VENTUS_MODEL_EVENT_FETCHED:
        for (unsigned i = 0; shown && i < 2; i++)
            if (e->number >> i & 1)
                show_fetch(k, e, e->pc + 4 * i);
        return;
    case VENTUS_MODEL_EVENT_FLUSHED:
        flush_slot(k, &k->sm[e->sm].slot[e->warp]);
        return;
    case VENTUS_MODEL_EVENT_ISSUED:
        show_issue(k, e, text);
        return;
    case VENTUS_MODEL_EVENT_STARTED:
        if (*in_flight)
            fprintf(k->out, "S\t%" PRIu64 "\t0\tEx\n", *in_flight - 1);
        return;
    case VENTUS_MODEL_EVENT_DONE:
        end_insn(k, *in_flight, 0);
        *in_flight = 0;
        return;
    case VENTUS_MODEL_EVENT_GROUP:
    case VENTUS_MODEL_EVENT_WARP:
    case VENTUS_MODEL_EVENT_WARP_END:
    case VENTUS_MODEL_EVENT_WAIT:
    case VENTUS_MODEL_EVENT_SLOT:
    case VENTUS_MODEL_EVENT_ACCESS:
    case VENTUS_MODEL_EVENT_REQUEST:
    case VENTUS_MODEL_EVENT_ANSWER:
    case VENTUS_MODEL_EVENT_GROUP_END:
    case VENTUS_MODEL_EVENT_KERNEL_END:
        return;
    }
}

void
konata_end(struct konata *k, uint64_t at)
{
    put_head(k, at);
    if (k->started)
        move_on(k, at);
    for (unsigned i = 0; i < k->sms; i++) {
        for (unsigned j = 0; j < WARPS; j++)
            flush_slot(k, &k->sm[i].slot[j]);
        for (unsigned j = 0; j < IN_FLIGHT_MAX; j++) {
            end_insn(k, k->sm[i].in_flight[j], 0);
            k->sm[i].in_flight[j] = 0;
        }
    }
}
