/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the project in the folders beside the program, and the start code of
 * kernels. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <ventus/isa.h>

#include "base/diag.h"

/* The path of share/ventus/NAME, or of lib/NAME in a build tree; NULL: it does not
 * exist, which is reported if there is a sink. */
const char *
start_find(struct arena *a, const char *name, struct diag_sink *sink);

/* Assembles the start code, which calls a kernel (docs/abi.md); `path` is from
 * start_find.  NULL: an error, which is reported. */
const uint8_t *
start_assemble(struct arena *a, const char *path,
               enum ventus_isa_version version, size_t *size,
               struct diag_sink *sink);
