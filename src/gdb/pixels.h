/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "gdb/session.h"

/* "[NAME [X[,Y[,Z]] [COUNT]]]": images among the arguments, pixels of one. */
void
gdb_show_image(struct gdb *g, const char *rest, struct buf *out);
