/* SPDX-License-Identifier: Apache-2.0 */
/* Events for traces and profiles; emitted only while one is recorded. */
#include "model/events.h"

#include <assert.h>

#include "model/pipeline/inflight.h"

void
events_init(struct events *v, const struct ventus_model_hooks *hooks,
            unsigned sm)
{
    *v = (struct events){ .hooks = hooks,
                          .sm = sm,
                          .on = events_on(hooks),
                          .steps = events_want_steps(hooks) };
}

void
events_emit(const struct events *v, uint64_t now, struct ventus_model_event e)
{
    const struct ventus_model_hooks *h = v->hooks;
    assert(h->event && e.warp < MAX_WARPS);
    e.cycle = now;
    e.sm = v->sm;
    h->event(h->ctx, &e);
}

void
events_instruction(const struct events *v, uint64_t now,
                   enum ventus_model_event_kind kind, unsigned warp,
                   const struct model_op *op, uint64_t id)
{
    struct ventus_model_event e = { .kind = kind, .warp = warp, .id = id };
    if (op) {
        e.pc = op->pc;
        e.unit = op->unit;
    }
    events_emit(v, now, e);
    /* An instruction without result is done now. */
    if (op && kind == VENTUS_MODEL_EVENT_STARTED &&
        (!op->memory || op->fence) && !op->branch && !op->writes_x &&
        !op->writes_v) {
        e.kind = VENTUS_MODEL_EVENT_DONE;
        events_emit(v, now, e);
    }
}

void
events_issue(const struct events *v, uint64_t now, const struct inflight *f,
             const struct ventus_sim_step *step)
{
    const struct ventus_model_hooks *h = v->hooks;
    if (h->issue)
        h->issue(h->ctx, now, v->sm, f->warp, step);
    if (events_are_on(v))
        events_emit(
            v, now,
            (struct ventus_model_event){ .kind = VENTUS_MODEL_EVENT_ISSUED,
                                         .warp = f->warp,
                                         .id = f->id,
                                         .pc = f->op->pc,
                                         .unit = f->op->unit,
                                         .step = step });
}

void
events_memory(const struct ventus_model_hooks *hooks, uint64_t now,
              struct ventus_model_event e)
{
    e.cycle = now;
    hooks->event(hooks->ctx, &e);
}
