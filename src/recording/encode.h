/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/cursor.h"
#include "recording/recording.h"

/* The contents of the blocks LAUNCH and RESULT, as bytes and back. */

/* Of a header, and of the packed bytes of a block: no change of up to eight
 * bytes that lie together leaves it the same but by chance. */
uint32_t
recording_check(const void *bytes, size_t n);

/* Memory that runs out ends the protected call. */
void
recording_encode_launch(struct buf *out, const struct recording_launch *l);

void
recording_encode_result(struct buf *out, const struct recording_result *r);

/*
 * Into the arena, strings are those of the input, which must stay.  NULL, or
 * what is wrong: every number has been checked, pages with a number above
 * `pages` are refused.
 */
const char *
recording_decode_launch(struct arena *a, struct cursor in, uint64_t pages,
                        struct recording_launch *l);

const char *
recording_decode_result(struct arena *a, struct cursor in, uint64_t pages,
                        struct recording_result *r);
