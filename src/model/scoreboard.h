/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "model/warp.h"

enum model_stall
scoreboard_check(const struct warp *w, const struct model_op *op);

void
scoreboard_set(struct warp *w, const struct model_op *op);

void
scoreboard_clear(struct warp *w, const struct model_op *op);
