/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

/* Kernels under GDB: VENTUS_GDB is the address, as for ventus_dev_debug;
 * docs/debugging.md. */

/* Debugs the first device that is opened, if requested. */
void
debugger_open(struct ventus_dev *d);
