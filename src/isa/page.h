/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/isa.h>

#include "base/buf.h"
#include "base/json.h"

/* The manual page of one instruction, as text of at most 80 columns. */
void
isa_page(struct buf *out, enum ventus_isa_op op);

/* Writes the page as the next JSON value, an object. */
void
isa_page_json(struct json *j, enum ventus_isa_op op);

/* Lists all instructions by group, one line each; only those of `version`, 0: all. */
void
isa_page_list(struct buf *out, unsigned version);

/* Writes the line of one instruction in that list. */
void
isa_page_line(struct buf *out, enum ventus_isa_op op);

/* Writes the operands of a syntax string, with fields by name: "vd, imm_i(vs1)". */
void
isa_page_syntax(struct buf *out, const char *syntax);
