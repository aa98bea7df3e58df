/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"
#include "sim/native.h"

/*
 * From a request to code of the host, in the translator's process: code and constants in
 * one piece, which runs wherever it is put, with the function `page` at *start.
 *
 *     request -> emit_page.c -> LLVM IR -> object -> image.c -> code
 *
 * False: *why says why not.
 */
bool
translate_page(const struct native_request *r, struct buf *code,
               uint32_t *start, const char **why);

/* Whether bytes of another process are a request that this build understands. */
bool
translate_accepts(const void *bytes, size_t size, const char **why);

/* image.c: lays out the sections of an object for x86-64, and applies their relocations,
 * which may only be between them. */
bool
image_make(const uint8_t *object, size_t size, const char *function,
           struct buf *code, uint32_t *start, const char **why);
