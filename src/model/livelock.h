/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ventus_model;
struct model_op;
struct ventus_sim_step;
struct sm;
struct warp;

/* The state of a warp that later ones are compared with (Brent). */
struct livelock {
    uint32_t pc;
    uint64_t x, hash[2]; /* of its registers; of all its state */
    uint64_t kept_at;    /* in this cycle; */
    uint64_t age, room; /* so many issues ago; then it is kept anew; 0: never */
    bool repeats;       /* it was the same again */
};

/* Now and then, when no SM is ahead: finds, and reports, a livelock. */
void
livelock_check(struct ventus_model *m);

/* issue_step, while s->detects_livelock. */
const struct ventus_sim_step *
livelock_step(struct sm *s, struct warp *w, const struct model_op *op);

/* The SM has changed something that other warps may see. */
void
livelock_changed(struct sm *s);
