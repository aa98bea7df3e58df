/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "pdes/pdes.h"

/* All LPs are parked in one cycle, and are granted windows up to another. */
void
window_begin(struct pdes *p, uint64_t pause);

/* Has an LP been granted a window of at least so many cycles? */
bool
window_is_granted(const struct pdes *p, unsigned lp, uint64_t cycles);

/* Takes an LP and runs it in its window, as far as it can; false: another thread
 * has it, or it is parked. */
bool
window_run(struct pdes *p, unsigned lp);

/* Might window_run_hub grant an LP a window now? */
bool
window_is_due(struct pdes *p, unsigned lp);

/*
 * By one thread at a time: the hub does the cycles that all LPs have behind them,
 * and parked LPs are granted their windows.  False: neither.
 */
bool
window_run_hub(struct pdes *p);
