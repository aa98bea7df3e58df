/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of <ventus/tile.h> that fill a text, with all messages. */
#pragma once

#include <ventus/tile.h>

#include "base/diag.h"

bool
tile_load(struct ventus_tile_machine *m, const char *name, const uint8_t *image,
          size_t size, struct diag_sink *sink);

bool
tile_read_timing(struct ventus_tile_timing *t, const char *name,
                 const char *text, struct diag_sink *sink);
