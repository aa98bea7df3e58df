/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/compile.h"
#include "cc/waits.h"

/* A pause on each way back to the start of a loop that waits.  The function must be analysed,
 * and has to be again: edges are split. */
void
pause_loops(const struct waits *w, enum cc_pause kind);
