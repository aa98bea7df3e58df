/* SPDX-License-Identifier: Apache-2.0 */
/* Files that `ventus cc` links besides OpenCL C: assembly and ELF objects. */
#pragma once

#include "cc/llvm/front.h"
#include "obj/elf.h"

struct native {
    vec(struct elf) objects;
};

/* Whether a file is one, by its name or its bytes. */
bool
native_is(const char *file, const void *bytes, size_t size);

/* Reads an object, or makes one of assembly for `version`; false: reported. */
bool
native_take(struct native *n, struct arena *a, const char *file,
            enum ventus_isa_version version, const uint8_t *bytes, size_t size,
            struct diag_sink *sink);

/* Passes to the front end the functions that they define and call. */
void
native_tell(const struct native *n, struct arena *a, struct front_options *o);

/* Whether one of them defines the symbol. */
bool
native_defines(const struct native *n, const char *name);

/* `object`, what was compiled, or the start code, becomes a program with them; NULL:
 * there is neither.  False: reported. */
bool
native_link(const struct native *n, struct arena *a, const char *name,
            const struct buf *object, const char *output, struct buf *out,
            struct diag_sink *sink);
