/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/model.h>

#include "model/pipeline/inflight.h"

/* The division or root of a warp of so many lanes, before it is executed: the
 * cycles that each lane takes of a group. */
void
sfu_measure(const struct ventus_model_config *c, unsigned lanes,
            const struct step_registers *r, const struct model_op *o,
            uint8_t *cycles);

/* From its start to its result: groups with an active lane. */
unsigned
sfu_busy(const struct ventus_model_config *c, unsigned lanes,
         const struct inflight *f, const uint8_t *cycles);
