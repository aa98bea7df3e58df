/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"

/* Names that the assembler takes for a label as they are. */
bool
dis_is_plain(const char *name);

/* The name as it can be written: in quotes unless it is plain. */
const char *
dis_name(struct arena *a, const char *name);

/* A string in quotes, escaped as the assembler reads it. */
void
dis_put_quoted(struct buf *out, const char *text);
