/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "base/arena.h"

/* A name from an untrusted file for messages: its first 64 bytes, with '?' for bytes
 * that a terminal could interpret as commands. */
static inline const char *
report_printable(struct arena *a, const char *name)
{
    enum { SHOWN = 64 };
    size_t n = 0;
    while (n < SHOWN && name[n])
        n++;
    char *s = arena_strndup(a, name, n);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < ' ' || (unsigned char)s[i] >= 0x7f)
            s[i] = '?';
    return s;
}
