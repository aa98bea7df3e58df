/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "pdes/pdes.h"

/* Parks all LPs in one cycle; they are granted windows up to another. */
void
window_begin(struct pdes *p, uint64_t pause);

/* Whether an LP has been granted a window of at least so many cycles. */
bool
window_is_granted(const struct pdes *p, unsigned lp, uint64_t cycles);

/* Takes an LP and runs its window as far as possible; false: another thread has the
 * LP, or it is parked. */
bool
window_run(struct pdes *p, unsigned lp);

/* Whether window_run_hub might grant an LP a window now. */
bool
window_is_due(struct pdes *p, unsigned lp);

/* Called by one thread at a time: the hub executes the cycles that all LPs have
 * passed, and parked LPs are granted their windows.  False: neither. */
bool
window_run_hub(struct pdes *p);
