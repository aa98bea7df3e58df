/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of front/compile.c that front/object.c has, too. */
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

/* False with an error that begins with `whose` if the module is wrong. */
bool
front_verify(struct front_build *b, const char *whose);

/* From what clang made to what the back end takes. */
bool
front_finish(struct front *f, struct front_build *b, const char *library);
