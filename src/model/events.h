/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct inflight;
struct ventus_model;
struct model_op;
struct ventus_sim_step;
struct sm;

/* Emits an event of an SM; only if is_traced. */
void
events_emit(const struct sm *s, struct ventus_model_event e);

/* An instruction has started or ended: VENTUS_MODEL_EVENT_STARTED or _DONE. */
void
events_instruction(const struct sm *s, enum ventus_model_event_kind kind,
                   unsigned warp, const struct model_op *op, uint64_t id);

/* It leaves the issue stage, with what it did. */
void
events_issue(struct sm *s, const struct inflight *f,
             const struct ventus_sim_step *step);

/* At the end of an SM's cycle: what its issue slots were used for. */
void
events_slots(struct sm *s);

/* Memory was asked or has answered; e.number requests are under way now. */
void
events_memory(const struct ventus_model_hooks *hooks, uint64_t now,
              struct ventus_model_event e);

/*
 * Are events traced?  A machine that is built with MODEL_UNTRACED has none:
 * bench/bench_tracing.py measures what that saves.
 */
static inline bool
events_on(const struct ventus_model_hooks *hooks)
{
#ifdef MODEL_UNTRACED
    return (void)hooks, false;
#else
    return hooks && hooks->event;
#endif
}
