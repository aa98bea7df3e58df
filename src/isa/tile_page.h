/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/buf.h"

/* Writes tile instructions as text, a line of syntax and a line of prose each: those
 * whose mnemonic is `name` or begins with it and a dot ("tld", "tld.g"; also an
 * operation in a list, "tadd"), or whose row has that name; NULL: all.  False: there
 * are none. */
bool
tile_page(struct buf *out, const char *name);
