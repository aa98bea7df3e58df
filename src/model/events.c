/* SPDX-License-Identifier: Apache-2.0 */
/* Events for traces and profiles; emitted only while one is recorded. */
#include <assert.h>

#include "model/machine.h"

void
events_emit(const struct sm *s, struct ventus_model_event e)
{
    const struct ventus_model_hooks *h = s->m->hooks;
    assert(h->event && e.warp < s->warps);
    e.cycle = s->now;
    e.sm = s->id;
    h->event(h->ctx, &e);
}

void
events_instruction(const struct sm *s, enum ventus_model_event_kind kind,
                   unsigned warp, const struct model_op *op, uint64_t id)
{
    struct ventus_model_event e = { .kind = kind, .warp = warp, .id = id };
    if (op) {
        e.pc = op->pc;
        e.unit = op->unit;
    }
    events_emit(s, e);
    /* An instruction without result is done now. */
    if (op && kind == VENTUS_MODEL_EVENT_STARTED &&
        (!op->memory || op->fence) && !op->branch && !op->writes_x &&
        !op->writes_v) {
        e.kind = VENTUS_MODEL_EVENT_DONE;
        events_emit(s, e);
    }
}

void
events_issue(struct sm *s, const struct inflight *f,
             const struct ventus_sim_step *step)
{
    const struct ventus_model_hooks *h = s->m->hooks;
    if (h->issue)
        h->issue(h->ctx, s->now, s->id, f->warp, step);
    if (sm_is_traced(s))
        events_emit(
            s, (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_ISSUED,
                                            .warp = f->warp,
                                            .id = f->id,
                                            .pc = f->op->pc,
                                            .unit = f->op->unit,
                                            .step = step });
}

/* What a warp waits for, if that is another than before. */
static void
emit_warp(struct sm *s, struct warp *w, unsigned slot,
          enum ventus_model_stall why)
{
    if (w->emitted == (unsigned)why + 1)
        return;
    w->emitted = (uint8_t)(why + 1);
    events_emit(s, (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_WAIT,
                                                .warp = slot,
                                                .why = why,
                                                .pc = w->next_pc });
}

static void
emit_slot(struct sm *s, enum ventus_model_stall why, unsigned port)
{
    /* A warp that could have issued and did not has the cause
     * VENTUS_MODEL_ISSUED. */
    enum ventus_model_stall own =
        why == VENTUS_MODEL_PASSED ? VENTUS_MODEL_ISSUED : why;
    struct ventus_model_event e = { .kind = VENTUS_MODEL_EVENT_SLOT,
                                    .why = why,
                                    .number = port };
    bool found = false;
    for (uint64_t left = s->active; left; left &= left - 1) {
        unsigned i = lowest(left);
        struct warp *w = &s->warp[i];
        enum ventus_model_stall its = issue_why(s, i);
        bool issued = w->issued_at == s->now;
        bool passed = !issued && its == VENTUS_MODEL_ISSUED;
        if (!port)
            emit_warp(s, w, i, passed ? VENTUS_MODEL_PASSED : its);
        if (found ||
            (why == VENTUS_MODEL_ISSUED ? !issued || w->issued_port != port
                                        : its != own))
            continue;
        found = true;
        e.warp = i;
        e.pc = issued ? w->issued_pc : w->next_pc;
    }
    events_emit(s, e);
}

/* A trace has each cycle: none is skipped. */
void
events_slots(struct sm *s)
{
    s->is_active = true;
    for (unsigned port = 0; port < s->ports; port++)
        emit_slot(s, stats_cause(s, port), port);
}

void
events_memory(const struct ventus_model_hooks *hooks, uint64_t now,
              struct ventus_model_event e)
{
    e.cycle = now;
    hooks->event(hooks->ctx, &e);
}
