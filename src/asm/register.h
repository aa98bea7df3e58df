/* SPDX-License-Identifier: Apache-2.0 */
/* Names of registers. */
#pragma once

#include "asm/lex.h"

/* Whether the name can only be a register. */
bool
register_is(struct span name);

/* x40, a0, v3: false if the name is none.  Numbers up to 9999. */
bool
register_named(struct span name, char *file, unsigned *number);

/* fa0 and similar, which RISC-V has and Ventus has not. */
bool
register_is_float(struct span name);
