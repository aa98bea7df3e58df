/* SPDX-License-Identifier: Apache-2.0 */
#include "dev/check_kinds.h"

#include <string.h>

#include "dev/device.h"

static const struct {
    const char *name;
    unsigned kinds;
} known[] = {
    { "memory", SANITIZE_MEMORY }, { "init", SANITIZE_INIT },
    { "race", SANITIZE_RACE },     { "sync", SANITIZE_SYNC },
    { "scalar", SANITIZE_SCALAR }, { "leak", CHECK_LEAK },
    { "api", CHECK_API },          { "all", CHECK_ALL },
};

enum { KNOWN = sizeof known / sizeof *known };

static unsigned
kinds_of(const char *name, size_t n)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strlen(known[i].name) == n && strncmp(known[i].name, name, n) == 0)
            return known[i].kinds;
    return 0;
}

unsigned
findings_kinds(const char *text)
{
    unsigned kinds = 0;
    if (!text)
        return CHECK_ALL;
    for (;; text++) {
        size_t n = strcspn(text, ",");
        unsigned one = kinds_of(text, n);
        if (!one) {
            dev_fail("check '%.*s': expected memory, init, race, sync, scalar, "
                     "leak, api or all, separated by commas",
                     (int)n, text);
            return 0;
        }
        kinds |= one;
        text += n;
        if (!*text)
            return kinds;
    }
}
