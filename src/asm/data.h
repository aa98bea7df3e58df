/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/state.h"

bool
directive_data(struct assembler *a, int width);
bool
directive_float(struct assembler *a, int width);
bool
directive_string(struct assembler *a, int zero);
bool
directive_space(struct assembler *a, int argument);
bool
directive_fill_bytes(struct assembler *a, int argument);
bool
directive_align(struct assembler *a, int is_power);
bool
directive_leb128(struct assembler *a, int is_signed);
bool
directive_incbin(struct assembler *a, int argument);
