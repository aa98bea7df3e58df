/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "recording/memory.h"

/* Writes a recording of launch `i` alone, with the memory that it found and its
 * result.  False: an error, which is reported, and there is no file. */
bool
recording_extract(struct recording *r, size_t i, const char *path,
                  struct diag_sink *sink);
