/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the project that lie beside the program, and the start code of kernels. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <ventus/isa.h>

#include "base/diag.h"

/* The path of share/ventus/NAME, or of lib/NAME in a build tree; NULL: it is not there,
 * which is reported if there is a sink. */
const char *
start_find(struct arena *a, const char *name, struct diag_sink *sink);

/*
 * The start code, which calls a kernel (docs/abi.md), as an object: `path`, which
 * start_find found, assembled.  NULL: reported.
 */
const uint8_t *
start_assemble(struct arena *a, const char *path,
               enum ventus_isa_version version, size_t *size,
               struct diag_sink *sink);
