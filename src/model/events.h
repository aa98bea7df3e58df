/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct inflight;
struct model_op;
struct ventus_sim_step;

/* Where what happens in an SM is told to. */
struct events {
    const struct ventus_model_hooks *hooks;
    unsigned sm;
    bool on;    /* events are recorded, */
    bool steps; /* or executed steps */
};

void
events_init(struct events *v, const struct ventus_model_hooks *hooks,
            unsigned sm);

/* Emits an event in a cycle; only if events_are_on. */
void
events_emit(const struct events *v, uint64_t now, struct ventus_model_event e);

/* An instruction has started or ended: VENTUS_MODEL_EVENT_STARTED or _DONE. */
void
events_instruction(const struct events *v, uint64_t now,
                   enum ventus_model_event_kind kind, unsigned warp,
                   const struct model_op *op, uint64_t id);

/* An instruction leaves the issue stage; step is what it did. */
void
events_issue(const struct events *v, uint64_t now, const struct inflight *f,
             const struct ventus_sim_step *step);

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

/* The same, as it was noted for the launch. */
static inline bool
events_are_on(const struct events *v)
{
#ifdef MODEL_UNTRACED
    return (void)v, false;
#else
    return v->on;
#endif
}

/* Are executed steps recorded? */
static inline bool
events_have_steps(const struct events *v)
{
#ifdef MODEL_UNTRACED
    return (void)v, false;
#else
    return v->steps;
#endif
}

static inline bool
events_want_steps(const struct ventus_model_hooks *hooks)
{
#ifdef MODEL_UNTRACED
    return (void)hooks, false;
#else
    return hooks && (hooks->event || hooks->issue);
#endif
}
