/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/collect.h"
#include "model/warp.h"

void
sfu_measure(const struct sm *s, const struct warp *w, const struct model_op *o,
            uint8_t *cycles);

unsigned
sfu_busy(const struct sm *s, const struct inflight *f, const uint8_t *cycles);
