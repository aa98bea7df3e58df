/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <ventus/dev.h>

#include "base/diag.h"

/*
 * Arguments of kernels as text, for command lines and tests:
 *
 *     buf:FILE    a buffer with the bytes of a file
 *     zeros:N     a buffer of N words, all 0
 *     iota:N      a buffer of N words, 0 to N - 1
 *     fiota:N     the same as numbers of binary32
 *     u32:V i32:V f32:V u64:V i64:V f64:V     a value
 *     bytes:HEX   a value of these bytes, two digits each, as they are in memory:
 *                 a structure, a vector, a short
 *     local:N     N bytes of local memory
 */
struct spec {
    struct ventus_dev_arg arg; /* the address of a buffer is filled in later */
    const uint8_t *bytes;      /* a buffer's contents; NULL: zeros */
    size_t size;
};

bool
spec_parse(struct arena *a, const char *text, struct spec *out,
           struct diag_sink *sink);

/* "X", "X,Y" or "X,Y,Z"; returns how many, 0 if it is something else. */
unsigned
spec_sizes(const char *text, uint64_t size[3]);

/* "A:B", or "A:" for all from A; `to` is 0 then. */
bool
spec_cycles(const char *text, uint64_t *from, uint64_t *to);

/* The formats that an option (trace, report, konata, sarif, check-json) may write, if the
 * name of the file says that another one is expected; NULL: it does not. */
const char *
spec_other_format(const char *option, const char *path);

/* Limits the traces of a command: without a window they end at 64 MiB, which viewers
 * open at once, and standard error says so. */
void
spec_bound_trace(struct ventus_dev_record *what);

/* Tests whether a type is u32, i32, f32, u64, i64 or f64. */
bool
spec_is_value(const char *type);

/* Prints `n` values of a type of above, 8 a line: "0: 1 2 3 ...". */
bool
spec_print(FILE *out, const char *type, const uint8_t *bytes, size_t size);
