/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that compiling (compile.c), linking (object.c) and the list of passes share. */
#pragma once

#include "cc/front/module.h"

/* Messages of LLVM itself go to the sink. */
void
front_open_context(struct front *f, struct diag_sink *sink);

/* Notes how long something took that began at *since. */
void
front_note(struct front *f, const char *what, double *since);

/* b->module from bitcode; false with an error if it is none. */
bool
front_read(struct front_build *b, const void *bitcode, size_t size);

/* Reports a wrong module by an error that begins with `whose`; false if it is wrong. */
bool
front_verify(struct front_build *b, const char *whose);
