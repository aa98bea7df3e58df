/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include <ventus/asm.h>

#include "base/arena.h"
#include "base/diag.h"

/* Whether -march is rv64 with Xtile. */
bool
as_tile_wanted(const char *march);

/* Assembles a text with tile instructions into an ELF64 object. */
bool
as_tile(struct arena *a, const char *march,
        const struct ventus_asm_options *options, const char *text, size_t size,
        const char *output, struct diag_sink *sink);
