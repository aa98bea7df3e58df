/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sanitize/sanitize.h"

/* Kinds of findings besides those of src/sanitize: the host program's. */
enum {
    CHECK_LEAK = 1 << 16,
    CHECK_API = 1 << 17,
    CHECK_HOST = CHECK_LEAK | CHECK_API,
    CHECK_ALL = SANITIZE_KINDS | CHECK_HOST
};

/* The kinds of a list, "memory,race"; NULL: all.  0 after dev_fail, with those of
 * `offered`, if one is unknown or there is none. */
unsigned
findings_kinds(const char *text, unsigned offered);
