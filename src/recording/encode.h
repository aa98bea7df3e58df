/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/cursor.h"
#include "recording/recording.h"

/* Encoding of the contents of the blocks LAUNCH and RESULT. */

/* The check sum of a header, or of the packed bytes of a block.  Any change of up to
 * eight consecutive bytes changes it, except by chance. */
uint32_t
recording_check(const void *bytes, size_t n);

/* Encoders; if memory runs out, the protected call ends. */
void
recording_encode_launch(struct buf *out, const struct recording_launch *l);

void
recording_encode_result(struct buf *out, const struct recording_result *r);

/* Decodes into the arena; strings point into the input, which must stay.  NULL, or the
 * error: every number is checked, and pages with a number above `pages` are refused. */
const char *
recording_decode_launch(struct arena *a, struct cursor in, uint64_t pages,
                        struct recording_launch *l);

const char *
recording_decode_result(struct arena *a, struct cursor in, uint64_t pages,
                        struct recording_result *r);
