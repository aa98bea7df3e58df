/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "sanitize/sanitize.h"

enum {
    CHECK_FIRST_HOST = 15,
#define SANITIZE_KIND(kind, name, help)
#define HOST_KIND(kind, name, help) CHECK_NUMBER_##kind,
#include "sanitize/kinds.def"
    CHECK_NUMBERS
};

/* Kinds of mistakes of the host program, a bit each, besides those of kernels. */
enum {
#define SANITIZE_KIND(kind, name, help)
#define HOST_KIND(kind, name, help) CHECK_##kind = 1 << CHECK_NUMBER_##kind,
#include "sanitize/kinds.def"
    CHECK_HOST = (1 << CHECK_NUMBERS) - (2 << CHECK_FIRST_HOST),
    CHECK_ALL = SANITIZE_KINDS | CHECK_HOST
};

/* The kinds of a list, "memory,race"; NULL: all.  0 after dev_fail, with those of
 * `offered`, if one is unknown or there is none. */
unsigned
findings_kinds(const char *text, unsigned offered);

enum { CHECK_LIST_MAX = 160 };

/* Writes the names of the `offered` kinds to `list`, of at least CHECK_LIST_MAX bytes,
 * separated by commas, and the last one by `last`, such as " and ". */
void
findings_kind_list(char *list, unsigned offered, const char *last);
