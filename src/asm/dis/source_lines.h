/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "asm/dis/json.h"
#include "base/buf.h"
#include "obj/elf.h"

/*
 * The source line of an address: "file:12:     text of the line", without the
 * text if the source file cannot be read.
 */
struct dis_source;

/* NULL, and an error, if the line table is broken; none gives no lines. */
struct dis_source *
dis_source_open(struct arena *a, const struct elf *elf, struct diag_sink *sink);

/* Sets the section that the following addresses are in. */
void
dis_source_section(struct dis_source *s, uint32_t section);

/* The files of the line table, as .file directives. */
void
dis_source_files(struct dis_source *s, struct buf *out);

/* The source position of an address, for struct dis_json. */
struct dis_position
dis_source_place(void *ctx, uint64_t address);

/* Writes .loc for an address, for struct dis_code.loc. */
void
dis_source_loc(void *ctx, struct buf *out, uint64_t address);

/* The source line of an address, for struct dis_code.source; `ctx` is the struct dis_source. */
const char *
dis_source_line(void *ctx, uint64_t address);
