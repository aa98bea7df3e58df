/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/*
 * Kernels under GDB: VENTUS_GDB says where it connects, as ventus_dev_debug
 * has it; docs/debugging.md.
 */

/* A device is there: the first one is debugged, if that is wanted. */
void
debugger_open(struct ventus_dev *d);
