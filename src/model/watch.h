/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

struct flight;
struct model;
struct model_op;
struct sim_step;
struct sm;

/* Tells who watches; called only if is_watched. */
void
watch_tell(const struct sm *s, struct model_event e);

/* An instruction got on: MODEL_EVENT_STARTED or _DONE. */
void
watch_flight(const struct sm *s, enum model_event_kind kind, unsigned warp,
             const struct model_op *op, uint64_t id);

/* It leaves the issue stage, with what it did. */
void
watch_issue(struct sm *s, const struct flight *f, const struct sim_step *step);

/* At the end of an SM's cycle: what its issue slots were used for. */
void
watch_slots(struct sm *s);

/* So many requests to memory are under way now. */
void
watch_memory(const struct model_hooks *hooks, uint64_t now,
             enum model_event_kind kind, unsigned number);

/*
 * Are events traced?  A machine that is built with MODEL_UNWATCHED has none:
 * bench/bench_tracing.py measures what that saves.
 */
static inline bool
watch_on(const struct model_hooks *hooks)
{
#ifdef MODEL_UNWATCHED
    return (void)hooks, false;
#else
    return hooks && hooks->event;
#endif
}
