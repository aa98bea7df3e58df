/* SPDX-License-Identifier: Apache-2.0 */
#include "asm/register.h"

#include <assert.h>

/* "12" of x12: no leading zero, at most four digits; -1 if it is not. */
static int
decimal(const char *p, size_t n)
{
    int value = 0;
    if (n == 0 || n > 4 || (n > 1 && *p == '0'))
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (!lex_is(p[i], CLASS_DIGIT))
            return -1;
        value = value * 10 + (p[i] - '0');
    }
    return value;
}

/* ABI names of x registers, manual 3.1; -1 if it is none. */
static int
abi_register(struct span s)
{
    assert(s.n >= 2);
    int n = decimal(s.at + 1, s.n - 1);
    switch (s.at[0]) {
    case 'a':
        return n >= 0 && n <= 7 ? 10 + n : -1;
    case 's':
        if (n < 0)
            return span_is(s, "sp") ? 2 : -1;
        return n <= 1 ? 8 + n : n <= 11 ? 16 + n : -1;
    case 't':
        if (n < 0)
            return span_is(s, "tp") ? 4 : -1;
        return n <= 2 ? 5 + n : n <= 6 ? 25 + n : -1;
    case 'z':
        return span_is(s, "zero") ? 0 : -1;
    case 'r':
        return span_is(s, "ra") ? 1 : -1;
    case 'g':
        return span_is(s, "gp") ? 3 : -1;
    case 'f':
        return span_is(s, "fp") ? 8 : -1;
    }
    return -1;
}

bool
register_named(struct span s, char *file, unsigned *number)
{
    if (s.n < 2 || s.n > 5)
        return false;
    int n;
    if (*s.at == 'x' || *s.at == 'v') {
        n = decimal(s.at + 1, s.n - 1);
        *file = *s.at;
    } else {
        n = abi_register(s);
        *file = 'x';
    }
    *number = (unsigned)n;
    return n >= 0;
}

bool
register_is(struct span s)
{
    char file;
    unsigned number;
    return register_named(s, &file, &number);
}

bool
register_is_float(struct span s)
{
    if (s.n < 2 || s.at[0] != 'f')
        return false;
    size_t skip = lex_is(s.at[1], CLASS_DIGIT) ? 1 : 2;
    return strchr("ats0123456789", s.at[1]) &&
           decimal(s.at + skip, s.n - skip) >= 0;
}
