/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "cc/front/module.h"

/* Calls of printf become stores into the print buffer; before linking. */
void
front_lower_printf(struct front_build *b);

/* Format strings become numbers; after inlining. */
void
front_resolve_printf(struct front_build *b);
