/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/step.h"

struct ventus_model;
struct model_op;
struct ventus_sim_step;
struct sm;

/* Now and then, when no SM is ahead: finds, and reports, a livelock. */
void
livelock_check(struct ventus_model *m);

/* Words that an instruction writes, with what they were. */
struct livelock_words {
    struct step_access access;
    uint32_t value[STEP_WORDS_MAX];
};

/* Around the step of a warp, while s->detects_livelock. */
void
livelock_before(struct sm *s, unsigned warp, const struct model_op *op,
                struct livelock_words *words);

void
livelock_after(struct sm *s, unsigned warp, const struct model_op *op,
               const struct ventus_sim_step *step,
               const struct livelock_words *before);

/* Has the SM changed something that other warps may see? */
void
livelock_note(struct sm *s, bool changed);
