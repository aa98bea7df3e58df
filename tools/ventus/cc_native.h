/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of `ventus cc` besides OpenCL C: assembly and ELF objects. */
#pragma once

#include "cc/front/front.h"
#include "obj/elf.h"

struct native {
    vec(struct elf) objects;
};

/* Whether a file is assembly or an ELF object, by its name or its bytes. */
bool
native_is(const char *file, const void *bytes, size_t size);

/* Reads an object, or assembles a source for `version`; false: an error, which is
 * reported. */
bool
native_take(struct native *n, struct arena *a, const char *file,
            enum ventus_isa_version version, const uint8_t *bytes, size_t size,
            struct diag_sink *sink);

/* Passes to the front end the functions that these files define and call. */
void
native_tell(const struct native *n, struct arena *a, struct front_options *o);

/* Whether one of these files defines the symbol. */
bool
native_defines(const struct native *n, const char *name);

/* Links the files to a program with `object`, the compiled code, or with the start
 * code; NULL: neither exists.  False: an error, which is reported. */
bool
native_link(const struct native *n, struct arena *a, const char *name,
            const struct buf *object, const char *output, struct buf *out,
            struct diag_sink *sink);
